import { importTests } from '../fixtures/import-tests.ts'

importTests('packages/client/test')
