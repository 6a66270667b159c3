// The code samples of the guide, staging, and the package of the client.
import { readFile } from 'node:fs/promises'
import { withPublicServers } from '../../spec/document.ts'
import { build } from '../fixtures/app.ts'
import { type Check, document, list, serve } from './server.ts'

const { name, version } = JSON.parse(await readFile('packages/client/package.json', 'utf8'))

const staged: Check = async (t) => {
  for (const staging of ['https://staging.example.com/v1', undefined]) {
    const app = await build(t, { document: withPublicServers(document, { staging }) })
    const { servers }: { servers: { description: string }[] } = (await app.inject('/openapi.json')).json()
    const { body } = await app.inject('/docs')
    const isListed = servers.some(({ description }) => description === 'Staging')
    t.equal(isListed, staging !== undefined)
    t.equal(body.includes(`>${staging} (Staging)</option>`), staging !== undefined)
    t.match(body, '>Base URL<')
  }
}

export const clients: Record<string, Check> = {
  'curl …': async (t, block) => {
    const { ask } = await serve(t)
    const { etag = '' } = (await ask('GET', list)).headers
    for (const command of block.split('\n')) {
      const [, path = ''] = /\/v1(\S+)$/.exec(command) ?? []
      const method = command.includes('-X DELETE') ? 'DELETE' : 'GET'
      const isPoll = command.includes('If-None-Match')
      const { status } = await ask(method, path, isPoll ? { 'if-none-match': etag } : {})
      t.equal(status, isPoll ? 304 : method === 'DELETE' ? 204 : 200, command)
    }
  },
  'If the operator has set up a staging server, "Base URL" at the top of the reference lists it.': staged,
  'npm pack --workspace store-orders-client\nnpm install ./…': async (t, block) =>
    t.equal(block.split('./').at(-1), `${name}-${version}.tgz`),
}
