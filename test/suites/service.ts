import { importTests } from '../loader/import-tests.ts'

importTests('test/*', 'test/config', 'test/handlers')
