import { importTests } from '../loader/import-tests.ts'

importTests('packages/custom-domains/test')
