import { importTests } from '../loader/import-tests.ts'

importTests('packages/http-edge/test', 'packages/exact-openapi/test', 'packages/openapi-pages/test')
