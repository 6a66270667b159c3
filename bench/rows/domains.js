// What thousands of custom domains cost this server: CPU time of the start, and memory.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { freePort, isOpen } from 'test-kit/ports'
import { dataFolder } from '../orders.js'
import { atRest, cpuOf, memoryOf } from '../proc.js'
import { OURS, withServer } from '../servers.js'

/** How many have a certificate. */
const VISITED = 100
const POLL_MS = 10
const DAY = 86_400_000
const authority = 'https://127.0.0.1:1/directory'

/** Until the server is idle, in ms. @param {number[]} counts */
export const start = (counts) =>
  measured(counts, async ({ pid, begin }) => ({ value: performance.now() - begin, cpu: cpuOf(pid) }))

/** @param {number[]} counts */
export const memory = (counts) =>
  measured(counts, async ({ pid, https, count }) => {
    while (!(await isOpen(https))) await sleep(POLL_MS)
    for (let index = 0; index < Math.min(VISITED, count); index++) await visit(https, hostAt(index))
    await atRest(pid)
    return { value: memoryOf(pid) }
  })

/**
 * @param {number[]} counts
 * @param {(server: { pid: number, https: number, count: number, begin: number }) => Promise<import('../run.js').Sample>} measure
 */
function measured(counts, measure) {
  return Object.fromEntries(
    counts.map((count) => [
      count > 0 ? `${count.toLocaleString('en')} domains` : 'none',
      () => withDomains(count, measure),
    ]),
  )
}

async function withDomains(count, use) {
  const folder = mkdtempSync(join(dataFolder(), 'domains-'))
  const https = await freePort()
  const env = {
    DATA_DIR: folder,
    DASHBOARD_KEYS: 'bench:bench-dashboard-key-of-32-characters',
    PLATFORM_DOMAIN: 'docs.platform.example',
    PLATFORM_CNAME_TARGET: 'cname.platform.example',
    ACME_EMAIL: 'operator@platform.example',
    ACME_DIRECTORY_URL: authority,
    DNS_SERVERS: '127.0.0.1:1',
    DOMAINS_MAX: '100000',
    HTTP_PORT: '0',
    HTTPS_PORT: String(https),
  }
  try {
    if (count > 0) cpSync(await planted(count), folder, { recursive: true })
    const begin = performance.now()
    return await withServer(OURS, { env }, async ({ pid }) => {
      await atRest(pid)
      return use({ pid, https, count, begin })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A folder with that many live domains, created once. @param {number} count */
async function planted(count) {
  const folder = join(dataFolder(), `domains-${count}`)
  if (existsSync(folder)) return folder
  const built = new URL('../../dist/packages/custom-domains/src/files/storage.js', import.meta.url)
  const { fileStorage } = await import(built.href)
  const [part, keys] = [`${folder}.part`, join(dataFolder(), 'keys')]
  rmSync(part, { recursive: true, force: true })
  mkdirSync(keys, { recursive: true })
  const storage = await fileStorage(part)
  await storage.load()
  const domains = Array.from({ length: count }, (_, index) => ({
    kind: 'domain',
    name: hostAt(index),
    value: domainAt(index),
  }))
  await storage.save(domains, '')
  for (const { name } of domains.slice(0, VISITED)) {
    await storage.saveSecret('certificate', name, certificateOf(name, keys))
  }
  await storage.close()
  renameSync(part, folder)
  return folder
}

/** A self-signed certificate after its key. @param {string} host @param {string} folder */
function certificateOf(host, folder) {
  const [key, certificate] = [`${folder}/key.pem`, `${folder}/certificate.pem`]
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key]
  execFileSync('openssl', ['req', '-x509', ...curve, '-out', certificate, ...names], { stdio: 'ignore' })
  return readFileSync(key, 'utf8') + readFileSync(certificate, 'utf8')
}

const hostAt = (index) => `docs.shop${index}.example`

function domainAt(index) {
  const [before, after] = [-DAY, 80 * DAY].map((ms) => new Date(Date.now() + ms).toISOString())
  const certificate = { authority, issuer: 'Bench', notBefore: before, notAfter: after }
  const name = { host: hostAt(index), kind: 'subdomain', zone: `shop${index}.example`, label: 'docs' }
  const times = { addedAt: before, verifiedAt: before, liveSince: before, issuedAt: before, askedAt: before }
  return { name, state: 'live', attempts: 0, ...times, certificate }
}

async function visit(port, servername) {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.destroy()
}
