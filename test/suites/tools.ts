import { importTests } from '../loader/import-tests.ts'

importTests('test/scripts', 'test/spec/scripts', 'test/deploy', 'test/mutation', 'test/hostile')
