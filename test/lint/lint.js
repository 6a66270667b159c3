// `npm run lint`, and its part `npm run typecheck`, as `lint.js types`.
import process from 'node:process'
import { runAll } from './run-all.js'

const generate = 'node --import=./test/loader/typescript.js test/lint/generate.ts --check'
const bin = 'node_modules/.bin/'
/** The build of openapi-pages reads the scripts of its browsers without types. */
const pages = 'packages/openapi-pages/tsconfig.build.json --noEmit --customConditions store-orders-source --rootDir .'
const projects = ['.', 'tsconfig.browser.json', 'tsconfig.bench.json', 'packages/client --noEmit', pages]
const types = projects.map((project) => `${bin}tsc -p ${project}`)
const style = [`${bin}biome check --error-on-warnings .`, `${generate} tables types`, `${bin}redocly lint`]

/** The longest is the first. */
const commands = process.argv[2] === 'types' ? types : [`${generate} imports`, ...types, ...style]
const isPassed = await runAll(commands, console.log)
if (!isPassed) process.exitCode = 1
