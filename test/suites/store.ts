import { importTests } from '../fixtures/import-tests.ts'

importTests('test/store', 'test/cli')
