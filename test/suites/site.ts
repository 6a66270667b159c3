import { importTests } from '../fixtures/import-tests.ts'

importTests('test/domains', 'packages/openapi-pages/test')
