// The example of custom-domains from the tarballs: two instances serve the references of two customers.
import { symlink, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { freePort } from 'test-kit/ports'
import { responds, until } from 'test-kit/until'
import type { DomainView } from '../../packages/custom-domains/src/index.ts'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { startPebble } from '../../packages/custom-domains/test/fixtures/pebble.ts'
import { type StartOptions, start } from '../fixtures/process.ts'
import { stripTypes } from '../loader/strip-types.js'
import { install, pack } from '../packages/package.ts'
import { database } from '../postgres/database.ts'
import { visitor } from './visitor.ts'

const target = 'cname.platform.example'
const documentOf = (title: string) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  paths: { '/pets': { get: { summary: `Get the pets of ${title}`, responses: { 200: { description: 'All.' } } } } },
})

t.test('two customers publish their references, at any of two instances', async (t) => {
  const db = await database(t)
  const consumer = await install(
    t,
    (await pack(t, 'packages/custom-domains')).tarball,
    (await pack(t, 'packages/openapi-pages')).tarball,
  )
  await symlink(`${process.cwd()}/node_modules/pg`, `${consumer}/node_modules/pg`)
  const instances = await Promise.all(
    [1, 2].map(async () => ({ http: await freePort(), https: await freePort(), admin: await freePort() })),
  )
  const [one, two] = instances as [(typeof instances)[number], (typeof instances)[number]]
  const { address, zone } = await startDnsServer(t, { [target]: { A: ['127.0.0.1'] } })
  const pebble = await startPebble(t, { dnsServer: address, httpPort: one.http })
  const [acme, globex] = ['Acme Pets', 'Globex Pets']
  const documents = { 'acme.yaml': JSON.stringify(documentOf(acme)), 'globex.yaml': JSON.stringify(documentOf(globex)) }
  const example = `${consumer}/node_modules/custom-domains/examples/docs-host.ts`
  await writeFile(`${consumer}/package.json`, '{"type":"module"}')
  await writeFile(`${consumer}/docs-host.js`, stripTypes(pathToFileURL(example)))
  const env = {
    DATABASE_URL: db.url,
    ENCRYPTION_KEY: 'a1'.repeat(32),
    TARGET: target,
    ACME_DIRECTORY_URL: pebble.directoryUrl,
    DNS_SERVERS: address,
    DOCUMENTS: t.testdir(documents),
    NODE_EXTRA_CA_CERTS: `${t.testdirName}-authority.pem`,
  }
  await writeFile(env.NODE_EXTRA_CA_CERTS, pebble.ca)
  const options: StartOptions = { program: 'docs-host.js', cwd: consumer, stdio: ['ignore', 'ignore', 'inherit'] }
  const [first] = instances.map(({ http, https, admin }) => {
    const ports = { HTTP_PORT: String(http), HTTPS_PORT: String(https), ADMIN_PORT: String(admin) }
    return start(t, 'server', [], { ...env, ...ports }, options)
  })

  async function call(method: string, { admin }: typeof one, path: string) {
    const response = await fetch(`http://localhost:${admin}${path}`, { method })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const list = async (at: typeof one, owner: string): Promise<DomainView[]> => (await call('GET', at, `/${owner}`)).body
  for (const instance of instances) await until(() => responds(call('GET', instance, '/acme')))

  const proveBy = (host: string, value: unknown) => {
    zone[`_custom-domains.${host}`] = { TXT: [[String(value)]] }
  }

  /** With the records that the response asks for. */
  async function publish(at: typeof one, owner: string, host: string) {
    const { body: added } = await call('PUT', at, `/${owner}/${host}`)
    zone[host] = { CNAME: [added.record.value] }
    proveBy(host, added.proof.value)
    await call('POST', at, `/${owner}/${host}/verify`)
    await until(async () => (await list(at, owner)).some(({ domain, state }) => domain === host && state === 'live'))
  }
  const hosts = ['docs.customer.example', 'help.customer.example', 'old.customer.example'] as const
  const [docs, help, old] = hosts
  await call('PUT', two, `/globex/${docs}`) // whose it is not
  await until(async () => (await list(one, 'globex')).length === 1)
  const { status, body: claim } = await call('PUT', one, `/acme/${docs}`)
  t.equal(status, 409)
  proveBy(docs, /value (\w+)/.exec(claim.message)?.[1])
  await publish(one, 'acme', docs)
  t.match(await call('PUT', two, `/globex/${docs}`), { status: 409, body: { message: /already been added\.$/ } })
  await publish(two, 'globex', help)
  await publish(two, 'globex', old)
  t.match(await call('PUT', one, `/globex/${old}/redirect?to=${docs}`), { status: 404 }, 'of another customer')
  t.match(await call('PUT', one, `/globex/${old}/redirect?to=${help}`), { status: 200 })
  t.match(await call('DELETE', two, `/acme/${help}`), {
    status: 404,
    body: { message: 'This domain has not been added.' },
  })
  t.match(await call('PUT', two, '/unknown/docs.other.example'), { status: 403 })

  const root = await pebble.root()
  for (const ports of instances) {
    const { visit } = visitor(ports, root)
    await until(async () => (await visit(old)).status === 301)
    t.match(await visit(docs), { status: 200, body: acme })
    t.match(await visit(help), { status: 200, body: globex })
    t.match(await visit(old), { status: 301, location: `https://${help}/docs` })
  }

  first?.child.kill('SIGKILL')
  await first?.ended
  const { visit } = visitor(two, root)
  t.match(await visit(docs), { status: 200, body: acme }, 'the other instance goes on')
  await call('DELETE', two, `/acme/${docs}`)
  await t.rejects(visit(docs))
})
