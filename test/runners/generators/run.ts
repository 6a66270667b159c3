// The generators of packages/client/README.md that come from npm: with the lines of its table they write clients that compile,
// and that keep or round the identifiers of the service as the table says.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { run } from '../command.ts'
import { here, project } from '../folders.ts'
import { packages, versionOf } from '../install.ts'
import { KEY, withService } from '../server.ts'
import type { Runner } from '../types.ts'
import { uses } from './uses.ts'

const readme = readFileSync(`${project}packages/client/README.md`, 'utf8')
/** The first order has the largest identifier. */
const ordersFile = `${here}go/orders.ndjson`
const identifiers: Record<string, string> = { exact: '9223372036854775807', rounded: '9223372036854776000' }
const packageOf: Record<string, string> = { 'hey-api': '@hey-api/openapi-ts', kubb: '@kubb/cli' }

const rowOf = (name: string) =>
  new RegExp(`^\\| ${name} ([\\d.]+)[^|]*\\| \`npx ([^\`]+)\` \\| (exact|rounded)`, 'm').exec(readme) ?? []

const kubbConfig = `
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({
  input: { path: 'openapi.yaml' },
  output: { path: 'kubb' },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch' })],
})
`
const compilerOptions = {
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] },
  ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true, types: [] },
}
/** Prints the identifier of the first order, as it is in the path of its cancellation. */
const program = (name: string) => `
const { fetch } = globalThis
let path = ''
globalThis.fetch = (input, init) => {
  const request = input instanceof Request ? input : new Request(new URL(input, 'https://api.example'), init)
  path = new URL(request.url).pathname.replace(/^\\/v1/, '')
  const { method } = request
  return fetch(process.env.BASE_URL + path, { method, headers: { authorization: 'Bearer ' + process.env.API_KEY } })
}
const { cancel, list } = await import('./use-${name}.ts') // some keep the fetch that they find when they load
const [{ id }] = await list()
await cancel(id).catch(() => {}) // a rounded one is beyond 64 bits
console.log(path.split('/').at(-1))
`

export const generators: Runner = {
  name: 'generators',
  version: `of ${Object.keys(uses).length}`,
  needs: ['npm'],
  async run(folder) {
    const modules = await packages()
    symlinkSync(modules, `${folder}node_modules`)
    cpSync(`${project}spec/openapi.yaml`, `${folder}openapi.yaml`)
    writeFileSync(`${folder}kubb.config.mjs`, kubbConfig)
    const log = `${folder}output.log`
    const inFolder = (name: string, args: string[], env = {}) =>
      run(`${modules}.bin/${name}`, args, { cwd: folder, log, env })
    const problems: string[] = []
    for (const [name, use] of Object.entries(uses)) {
      const [, version = '', line = ''] = rowOf(name)
      const [command = '', ...args] = line.split(' ')
      if (!versionOf(packageOf[name] ?? name).startsWith(`${version}.`))
        problems.push(`${name} ${version} is not what runs here`)
      if ((await inFolder(command, args)) !== 0) problems.push(`${line}: no client was generated`)
      writeFileSync(`${folder}use-${name}.ts`, use)
      writeFileSync(`${folder}main-${name}.mjs`, program(name))
    }
    writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
    if ((await inFolder('tsc', ['-p', '.'])) !== 0) problems.push(`the clients do not compile, see ${log}`)
    await withService({ log: `${folder}server.log`, ordersFile }, async (BASE_URL) => {
      for (const name of Object.keys(uses)) {
        const [bundle, printed] = [`${folder}${name}.bundle.mjs`, `${folder}${name}.txt`]
        const options = ['--bundle', '--platform=node', '--format=esm', `--outfile=${bundle}`]
        await inFolder('esbuild', [`main-${name}.mjs`, ...options])
        await run(process.execPath, [bundle], { cwd: folder, log: printed, env: { BASE_URL, API_KEY: KEY } })
        const found = readFileSync(printed, 'utf8').trim()
        const [, , , kind = ''] = rowOf(name)
        if (found !== identifiers[kind]) problems.push(`${name}, ${kind}: the identifier is ${found}`)
      }
    })
    return { cases: Object.keys(uses).length, failures: problems.length, problems }
  },
}
