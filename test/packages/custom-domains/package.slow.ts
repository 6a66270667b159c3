import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import t from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { install, pack, run } from '../package.ts'

const { tarball } = await pack(t, 'packages/custom-domains')
const consumer = await install(t, tarball)
const installed = `${consumer}/node_modules/custom-domains`
await writeFile(`${consumer}/package.json`, '{"type":"module"}')

t.test('files pass the tests for storages, as the README runs them', async (t) => {
  const blocks = blocksOf(await readFile(`${installed}/README.md`, 'utf8'))
  const example = blocks.find(({ text }) => text.includes('custom-domains/testing'))
  await writeFile(`${consumer}/storage.test.js`, String(example?.text))
  t.match(await run(consumer, 'node', '--test', 'storage.test.js'), /\n(# |ℹ )fail 0\n/)
})

const uses = `
import { createServer, type RequestListener } from 'node:http'
import { type App, type CustomDomains, customDomains, DomainError, type DomainStorage, fileStorage } from 'custom-domains'

export const app: RequestListener = (_request, response) => void response.end()
export const shops = { exists: async (_host: string) => true }
export async function run(domains: CustomDomains, storage: DomainStorage) {
  const ports: { http: number; https: number } = await domains.listen(app, { http: 0, https: 0 })
  createServer((request, response) => domains.challengeHandler(request, response))
  domains.on('problem', ({ domain, problem }) => [domain, problem.code === 'record_missing'])
  await domains.verify('docs.example.com').catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'rate_limited') return error.retryAfter
    throw error
  })
  // @ts-expect-error there is no authority
  await customDomains({ storage, target: 'cname.example.com' })
  // @ts-expect-error there is no such event
  domains.on('dead', () => {})
  return ports
}
export type Listener = App
export const storage: Promise<DomainStorage> = fileStorage('data')
`

t.test('its types compile without skipLibCheck, and so does the example of the README', async (t) => {
  const [example] = blocksOf(await readFile(`${installed}/README.md`, 'utf8'))
  await writeFile(`${consumer}/readme.ts`, `import { app, shops } from './uses.js'\n${example?.text}`)
  await writeFile(`${consumer}/uses.ts`, uses)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    noEmit: true,
  }
  await writeFile(`${consumer}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  t.equal(await run(consumer, resolve('node_modules/.bin/tsc')).catch(({ stdout }) => stdout), '')
})
