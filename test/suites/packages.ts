import { importTests } from '../fixtures/import-tests.ts'

importTests('packages/custom-domains/test', 'packages/client/test')
