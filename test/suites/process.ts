import { importTests } from '../fixtures/import-tests.ts'

importTests('test/process')
