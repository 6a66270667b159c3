import { cp, readdir, rm, symlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import t, { type Test } from 'tap'
import { startWithDomains } from '../fixtures/process.ts'

const env = { API_KEYS: 'tests:test-key', DASHBOARD_KEYS: `tests:${'k'.repeat(32)}` }

/** A copy of the program. What it has in common with no other program is copied, too; other dependencies are links. */
async function copyOfProgram(t: Test): Promise<string> {
  const dir = t.testdir({ data: {}, program: { node_modules: { '@fastify': {} } } })
  const own = ['package.json', 'dist', 'spec', 'domains', 'store', 'packages/openapi-pages/browser']
  const copied = ['@fastify/swagger-ui', 'minisearch']
  for (const path of [...own, ...copied.map((name) => `node_modules/${name}`)])
    await cp(path, `${dir}/program/${path}`, { recursive: true })
  const names = [...(await readdir('node_modules')), ...(await scoped('@fastify'))]
  for (const name of names.filter((each) => ![...copied, '@fastify'].includes(each)))
    await symlink(resolve('node_modules', name), `${dir}/program/node_modules/${name}`)
  return dir
}

const scoped = async (scope: string) => (await readdir(`node_modules/${scope}`)).map((name) => `${scope}/${name}`)

t.test('pages stay those of the version that runs, while its files are deleted', async (t) => {
  const dir = await copyOfProgram(t)
  const server = startWithDomains(t, { ...env, DATA_DIR: `${dir}/data` }, { program: `${dir}/program/dist/server.js` })
  const origin = await server.origin
  await server.ports
  await rm(`${dir}/program`, { recursive: true })

  const pages = ['/docs', '/docs/changelog', '/docs/swagger/', '/dashboard']
  const texts = ['/docs.md', '/llms-full.txt', '/openapi.yaml']
  const scripts = ['/docs/search.js', '/docs/first-call.js', '/docs/operations/listOrders.js']
  const paths = new Set([...pages, ...texts, ...scripts])
  for (const path of paths) {
    const response = await fetch(`${origin}${path}`)
    t.equal(response.status, 200, path)
    const text = await response.text()
    for (const [url] of text.matchAll(/(?<=(?:src|href)=")[^"#?:]*\/static\/[^"]+(?=")/g))
      paths.add(new URL(url, `${origin}${path}`).pathname)
  }
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'theme/page.js', 'geist.woff2', 'logo.svg'])
    t.ok(
      [...paths].some((path) => path.endsWith(file)),
      file,
    )
})
