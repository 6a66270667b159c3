// `npm run lint`, and its part `npm run typecheck`, as `lint.js types`.
import process from 'node:process'
import { runAll } from './run-all.js'

const generate = 'node --import=./test/loader/typescript.js test/lint/generate.ts --check'
const types = ['tsc', 'tsc -p tsconfig.browser.json', 'tsc -p tsconfig.bench.json', 'tsc -p packages/client --noEmit']
const style = ['biome check --error-on-warnings .', `${generate} types tables`, 'redocly lint']

/** The longest is the first. */
const commands = process.argv[2] === 'types' ? types : [`${generate} imports`, ...types, ...style]
const isPassed = await runAll(commands, console.log)
if (!isPassed) process.exitCode = 1
