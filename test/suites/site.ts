import { importTests } from '../loader/import-tests.ts'

importTests('test/domains', 'test/packages/openapi-pages')
