// The packed package in an empty folder: the README's example serves Express at two domains.
import { readFile, symlink, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { freePort } from 'test-kit/ports'
import { until } from 'test-kit/until'
import { startAcmeProxy } from '../../packages/custom-domains/test/fixtures/acme-proxy.ts'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { startPebble } from '../../packages/custom-domains/test/fixtures/pebble.ts'
import { start } from '../fixtures/process.ts'
import { install, pack } from '../packages/package.ts'
import { visitor } from './visitor.ts'

const [docs, help] = ['docs.customer.example', 'help.customer.example']
const target = 'cname.platform.example'
const { tarball } = await pack(t, 'packages/custom-domains')

t.test('an application is served at two domains, and again after a kill', async (t) => {
  const ports = { http: await freePort(), https: await freePort() }
  const leadsHere = { CNAME: [target] }
  const { address } = await startDnsServer(t, {
    [target]: { A: ['127.0.0.1'] },
    [docs]: leadsHere,
    [help]: leadsHere,
  })
  const pebble = await startPebble(t, { dnsServer: address, httpPort: ports.http })
  const proxy = await startAcmeProxy(t, pebble)
  const consumer = await install(t, tarball)
  await symlink(`${process.cwd()}/node_modules/express`, `${consumer}/node_modules/express`)
  await writeFile(`${consumer}/authority.pem`, proxy.ca)

  const [example] = blocksOf(await readFile(`${consumer}/node_modules/custom-domains/README.md`, 'utf8'))
  const local: [text: string, replacement: string][] = [
    ['https://acme-v02.api.letsencrypt.org/directory', proxy.directoryUrl],
    ['{ http: 80, https: 443 }', JSON.stringify({ ...ports, host: '127.0.0.1' })],
    ["target: '", `dnsServers: ['${address}'],\n  target: '`],
  ]
  let program = String(example?.text)
  for (const [text, replacement] of local) {
    t.ok(program.includes(text), text)
    program = program.replace(text, replacement)
  }
  const prelude = `
    import express from 'express'
    const shops = { exists: async (host) => host.endsWith('.customer.example') }
    const app = express().get('/a', ({ hostname, url }, response) => response.send(hostname + url))`
  await writeFile(
    `${consumer}/first.mjs`,
    `${prelude}\n${program}
    await domains.add('${help}')
    await domains.verify('${help}')
    await domains.redirect('${help}', '${docs}')
    await domains.redirect('${help}', false)`,
  )
  await writeFile(`${consumer}/next.mjs`, `${prelude}\n${program.slice(0, program.indexOf('const { record }'))}`)

  const { visit, visitPlainly } = visitor(ports, await pebble.root())
  const isLive = (host: string) =>
    visit(host, { path: '/a' }).then(
      ({ status }) => status === 200,
      () => false,
    )
  const run = (program: string) =>
    start(
      t,
      'server',
      [],
      { NODE_EXTRA_CA_CERTS: 'authority.pem' },
      { program, cwd: consumer, stdio: ['ignore', 'pipe', 'inherit'] },
    )
  const first = run('first.mjs')
  for (const host of [docs, help]) await until(() => isLive(host))
  t.equal(first.stdout(), `{\n  type: 'CNAME',\n  name: 'docs',\n  value: '${target}',\n  ttl: 3600,\n  note: ''\n}\n`)
  for (const host of [docs, help]) {
    t.match(await visit(host, { path: '/a' }), { status: 200, body: `${host}/a` })
    t.match(await visitPlainly(host, '/a'), { status: 308, location: `https://${host}/a` })
  }
  t.equal(proxy.orders(), 2)

  first.child.kill('SIGKILL')
  await first.ended
  run('next.mjs')
  for (const host of [docs, help]) await until(() => isLive(host))
  t.equal(proxy.orders(), 2)
})
