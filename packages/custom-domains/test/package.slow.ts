import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import t from 'tap'
import { lintPackage } from '../../../test/fixtures/lint-package.ts'
import { install, pack, run } from '../../../test/fixtures/package.ts'
import { blocksOf } from '../../../test/fixtures/pages.ts'

const { tarball, paths } = await pack(t, 'packages/custom-domains')
const consumer = await install(t, tarball)
const installed = `${consumer}/node_modules/custom-domains`
await writeFile(`${consumer}/package.json`, '{"type":"module"}')

t.test('the package contains only the engine', async (t) => {
  const expected = [/^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/, /^dist\/[\w/-]+\.(js|d\.ts)$/]
  t.strictSame(
    paths.filter((path) => !expected.some((pattern) => pattern.test(path))),
    [],
  )
  t.equal(await readFile(`${installed}/LICENSE`, 'utf8'), await readFile('LICENSE', 'utf8'))
})

t.test('its version and its dependencies are those of the service', async (t) => {
  const { version, dependencies } = JSON.parse(await readFile(`${installed}/package.json`, 'utf8'))
  const service = JSON.parse(await readFile('package.json', 'utf8'))
  const tested = { ...service.devDependencies, ...service.dependencies, 'http-edge': service.version }
  for (const [name, range] of Object.entries(dependencies)) t.equal(range, tested[name], name)
  t.equal(version, service.version)
})

t.test('publint and "Are the types wrong?" report nothing', async (t) => {
  t.strictSame(await lintPackage(tarball), [])
})

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
