import { importTests } from '../fixtures/import-tests.ts'

importTests('test/*', 'test/config', 'test/handlers')
