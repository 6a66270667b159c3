import { importTests } from '../loader/import-tests.ts'

importTests(
  'test/plugins',
  'test/packages/http-edge',
  'test/telemetry',
  'test/spec/*',
  'test/packages/exact-openapi',
  'packages/client/test',
  'test/packages/client',
)
