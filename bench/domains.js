// Starts this server with planted custom domains, all of them live.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/fixtures/free-port.js'
import { certificateOf } from '../test/hostile/certificate.js'
import { dataFolder } from './orders.js'
import { OURS, start } from './servers.js'

/** How many have a certificate, for visits. */
export const VISITED = 100
export const DASHBOARD_KEY = 'bench-dashboard-key-of-32-characters'
const DAY = 86_400_000
const authority = 'https://127.0.0.1:1/directory'

export const hostAt = (index) => `docs.shop${index}.example`

/** @param {number} count @returns {Promise<{ pid: number, api: string, https: number, stop: () => Promise<void> }>} */
export async function startWithDomains(count) {
  const folder = mkdtempSync(join(dataFolder, 'domains-'))
  if (count > 0) cpSync(await planted(count), folder, { recursive: true })
  const https = await freePort()
  const server = await start(OURS, undefined, {
    DATA_DIR: folder,
    DASHBOARD_KEYS: `bench:${DASHBOARD_KEY}`,
    PLATFORM_DOMAIN: 'docs.platform.example',
    PLATFORM_CNAME_TARGET: 'cname.platform.example',
    ACME_EMAIL: 'operator@platform.example',
    ACME_DIRECTORY_URL: authority,
    DNS_SERVERS: '127.0.0.1:1',
    DOMAINS_MAX: '100000',
    HTTP_PORT: '0',
    HTTPS_PORT: String(https),
  })
  const api = server.url.replace('/v1/store/orders', '/dashboard/v1')
  const stop = () => server.stop().finally(() => rmSync(folder, { recursive: true }))
  return { pid: server.pid, api, https, stop }
}

/** The folder with so many domains, made once. */
async function planted(count) {
  const folder = join(dataFolder, `domains-${count}`)
  if (existsSync(folder)) return folder
  const { fileStorage } = await import(
    new URL('../dist/packages/custom-domains/src/files/storage.js', import.meta.url).href
  )
  const [part, keys] = [`${folder}.part`, join(dataFolder, 'keys')]
  rmSync(part, { recursive: true, force: true })
  mkdirSync(keys, { recursive: true })
  const storage = await fileStorage(part)
  await storage.load()
  await storage.save(
    Array.from({ length: count }, (_, index) => ({ kind: 'domain', name: hostAt(index), value: domainAt(index) })),
    '',
  )
  for (let index = 0; index < VISITED; index++) {
    const { KEY, CERTIFICATE } = certificateOf(hostAt(index), keys)
    await storage.saveSecret(
      'certificate',
      hostAt(index),
      readFileSync(KEY, 'utf8') + readFileSync(CERTIFICATE, 'utf8'),
    )
  }
  await storage.close()
  renameSync(part, folder)
  return folder
}

function domainAt(index) {
  const [before, after] = [-DAY, 80 * DAY].map((ms) => new Date(Date.now() + ms).toISOString())
  const certificate = { authority, issuer: 'Bench', notBefore: before, notAfter: after }
  const name = { host: hostAt(index), kind: 'subdomain', zone: `shop${index}.example`, label: 'docs' }
  const times = { addedAt: before, verifiedAt: before, liveSince: before, issuedAt: before, askedAt: before }
  return { name, state: 'live', attempts: 0, ...times, certificate }
}
