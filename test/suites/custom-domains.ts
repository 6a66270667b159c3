import '../fixtures/import-tests.ts'
