import { once } from 'node:events'
import { cp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { platformHost } from '../../packages/custom-domains/test/fixtures/ports.ts'
import { startWithDomains } from '../fixtures/process.ts'

const copied = ['@fastify/swagger-ui', 'minisearch']
const own = ['dist', 'spec', 'domains', 'store', 'packages/openapi-pages/browser']
const replaced = [...own, ...copied.map((name) => `node_modules/${name}`)]

/** A copy of the program. What it has in common with no other program is copied, too; other dependencies are links. */
async function copyOfProgram(t: Test): Promise<string> {
  const dir = t.testdir({ data: {}, program: { node_modules: { '@fastify': {} } } })
  for (const path of ['package.json', ...replaced])
    await cp(path, `${dir}/program/${path}`, { recursive: true, dereference: true })
  const names = [...(await readdir('node_modules')), ...(await scoped('@fastify'))]
  for (const name of names.filter((each) => ![...copied, '@fastify'].includes(each)))
    await symlink(resolve('node_modules', name), `${dir}/program/node_modules/${name}`)
  return dir
}

const scoped = async (scope: string) => (await readdir(`node_modules/${scope}`)).map((name) => `${scope}/${name}`)

/** Replaces each file by a newer one, as `tar` does. */
async function replaceFiles(folder: string) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = `${entry.parentPath ?? entry.path}/${entry.name}`
    if (!entry.isFile()) continue
    await rm(path)
    await writeFile(path, newer)
  }
}
const newer = 'of the newer version'

const pages = ['/docs', '/docs/changelog', '/docs/swagger/', '/docs.md', '/llms-full.txt', '/openapi.yaml']
const scripts = ['/docs/search.js', '/docs/first-call.js', '/docs/operations/listOrders.js']
const assets = ['swagger-ui-bundle.js', 'swagger-ui.css', 'theme/page.js', 'geist.woff2', 'logo.svg']

/** Visits the pages and what they refer to. */
async function visitAll(t: Test, host: string, port: number, more: readonly string[]) {
  const paths = new Set([...pages, ...scripts, ...more])
  for (const path of paths) {
    const visit = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false })
    const [response] = await once(visit, 'response')
    const body = await text(response)
    t.equal(response.statusCode, 200, `${host}${path}`)
    t.notOk(body.includes(newer), path)
    for (const [url] of body.matchAll(/(?<=(?:src|href)=")[^"#?:]*\/static\/[^"]+(?=")/g))
      paths.add(new URL(url, `http://x${path}`).pathname)
  }
  for (const file of assets) t.match([...paths].join('\n'), new RegExp(`${file.replaceAll('.', '\\.')}$`, 'm'))
}

t.test('pages stay those of the version that runs, while its files are replaced and deleted', async (t) => {
  const dir = await copyOfProgram(t)
  const server = startWithDomains(t, { DATA_DIR: `${dir}/data` }, { program: `${dir}/program/dist/server.js` })
  const port = await server.port()
  const { http } = await server.ports
  async function visitBoth() {
    await visitAll(t, `127.0.0.1:${port}`, port, ['/dashboard'])
    await visitAll(t, platformHost, http, [])
  }
  for (const folder of replaced) await replaceFiles(`${dir}/program/${folder}`)
  await visitBoth()
  await rm(`${dir}/program`, { recursive: true })
  await visitBoth()
})
