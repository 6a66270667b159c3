import { importTests } from '../fixtures/import-tests.ts'

importTests('test/domains', 'test/site')
