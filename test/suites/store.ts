import { importTests } from '../loader/import-tests.ts'

importTests('test/store', 'test/cli')
