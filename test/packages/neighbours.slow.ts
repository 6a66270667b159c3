// The packages as their users get them, in applications with plugins of others.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { pack, run } from './package.ts'

t.test('each package works beside the plugins that people use most, in both orders of registration', async (t) => {
  const consumer = await mkdtemp(`${tmpdir()}/store-orders-`)
  t.teardown(() => rm(consumer, { recursive: true }))
  await cp('test/neighbours', consumer, { recursive: true, filter: (path) => !path.includes('node_modules') })
  const tarballs: string[] = []
  for (const name of ['http-edge', 'exact-openapi', 'openapi-pages', 'custom-domains', 'client'] as const)
    tarballs.push((await pack(t, `packages/${name}`)).tarball)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund']
  await run(consumer, 'npm', 'ci', ...quiet)
  await run(consumer, 'npm', 'install', '--no-save', ...quiet, ...tarballs)
  await writeFile(`${consumer}/certificate.pem`, await makeCertificate('docs.shop.example'))
  const target = 'cname.platform.example'
  const zone = { [target]: { A: ['127.0.0.1'] }, 'docs.shop.example': { CNAME: [target] } }
  const { address } = await startDnsServer(t, zone)
  // Its errors are those of this promise.
  t.match(await run(consumer, 'node', 'check.js', address), /^\d+ applications\n$/)
  t.match(await run(consumer, 'node', 'fetches.js'), /^node-fetch, undici-6, undici\b/)
})
