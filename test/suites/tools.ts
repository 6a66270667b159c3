import { importTests } from '../loader/import-tests.ts'

importTests('test/lint', 'test/spec/scripts', 'test/deploy', 'test/mutation', 'test/hostile', 'test/packages/test-kit')
