import { importTests } from '../loader/import-tests.ts'

importTests(
  'test/plugins',
  'packages/http-edge/test',
  'test/packages/http-edge',
  'test/telemetry',
  'test/spec/*',
  'packages/exact-openapi/test',
  'test/packages/exact-openapi',
  'packages/client/test',
  'test/packages/client',
)
