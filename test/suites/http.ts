import { importTests } from '../fixtures/import-tests.ts'

importTests('test/plugins', 'test/http', 'test/telemetry', 'test/spec/*', 'test/spec/model')
