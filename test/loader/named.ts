// Runs the test files that TESTS names, in one process.
import { env } from 'node:process'
import { importTests } from './import-tests.ts'

const { TESTS = '' } = env
importTests(...TESTS.split(','))
