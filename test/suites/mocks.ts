import { importTests } from '../loader/import-tests.ts'

importTests(
  'test/config/keys/edit.mock.ts',
  'test/config/keys/watch.mock.ts',
  'test/plugins/list/gzip.mock.ts',
  'test/store/postgres/sessions.mock.ts',
  'packages/custom-domains/test/files/crashes.mock.ts',
  'packages/custom-domains/test/files/durability.mock.ts',
  'packages/custom-domains/test/files/lock.mock.ts',
  'packages/exact-openapi/test/mock-server.mock.ts',
)
