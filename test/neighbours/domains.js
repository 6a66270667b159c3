// A custom domain over HTTP/2, for one application after the other. Its certificate is in certificate.pem.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { customDomains, fileStorage } from 'custom-domains'

const host = 'docs.shop.example'
const pem = await readFile('certificate.pem', 'utf8')
const directoryUrl = 'https://ca.test/directory'

const issuer = {
  authority: directoryUrl,
  identities: async () => [],
  async issue(_host, _signal, save) {
    await save({ authority: directoryUrl, url: `${directoryUrl}/order`, key: '', begunAt: new Date().toISOString() })
    return pem
  },
  renewalWindow: async () => undefined,
}

/** @param dnsServer knows its record @returns a function that sends a request to an application at the domain */
export async function domainAt(dnsServer) {
  let served
  const domains = await customDomains({
    storage: fileStorage('data'),
    target: 'cname.platform.example',
    authorities: [{ directoryUrl }],
    issuerAt: () => issuer,
    dnsServers: [dnsServer],
  })
  const { https } = await domains.listen((request, response) => served.routing(request, response), {
    http: 0,
    https: 0,
    host: '127.0.0.1',
  })
  const isLive = new Promise((resolve, reject) => {
    domains.on('live', resolve)
    domains.on('problem', ({ problem }) => reject(new Error(JSON.stringify(problem))))
  })
  await domains.add(host)
  await domains.verify(host)
  await isLive
  const session = connect(`https://127.0.0.1:${https}`, { ca: pem, servername: host })
  return async (app, method, path, payload) => {
    served = await app.ready()
    const type = payload && { 'content-type': 'application/json' }
    const headers = { ':method': method, ':path': path, ':authority': host, ...type }
    const stream = session.request(headers, { endStream: !payload })
    if (payload) stream.end(payload)
    const [received] = await once(stream, 'response')
    return { status: received[':status'], type: received['content-type'], body: await text(stream) }
  }
}
