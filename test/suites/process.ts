import { importTests } from '../loader/import-tests.ts'

importTests('test/process')
