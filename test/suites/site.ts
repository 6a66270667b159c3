import { importTests } from '../loader/import-tests.ts'

importTests('test/domains', 'packages/openapi-pages/test', 'test/packages/openapi-pages')
