import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { install, pack } from '../package.ts'

const { tarball } = await pack(t, 'packages/client')
const consumer = await install(t, tarball)
const installed = `${consumer}/node_modules/store-orders-client`
await writeFile(`${consumer}/package.json`, '{"type":"module"}')

const uses = `
import { type components, createClient, type ErrorCode, type KnownErrorCode, type Order } from 'store-orders-client'
import { type Client, type Fetch, type Pet, StoreOrdersError, UnexpectedResponseError } from 'store-orders-client'

const client: Client = createClient({ baseUrl: 'https://x/v1', apiKey: () => 'key', retries: 1, maxWaitMs: 10 })
export const orders: readonly Order[] = await client.listOrders()
export const id: bigint | undefined = orders[0]?.id
export const pet: Pet = await client.getPetById(id ?? 0n)
export const code: ErrorCode = 'a_code_of_a_later_version'
export const refusal = new StoreOrdersError({ code, message: '', status: 409 })
export const wait: number | undefined = refusal.retryAfterMs
export const unexpected = new UnexpectedResponseError({ status: 200 }, { cause: refusal })
export type Schema = components['schemas']['Order']
export type Send = Fetch

export const knownCode: KnownErrorCode = 'order_not_found'
// @ts-expect-error a number is not an identifier
client.cancelOrder(1007)
// @ts-expect-error the list is frozen
orders.push({ id: 1n })
// @ts-expect-error an order has no status
orders[0]?.status
`
/** Code that needs the types of fetch. */
const platform = `
import { createClient, type Fetch } from 'store-orders-client'

const send: Fetch = async (url, init) => {
  // @ts-expect-error there is no such option
  init.path
  return fetch(url, { ...init, keepalive: true })
}
const client = createClient({ baseUrl: 'https://x/v1', apiKey: 'key', fetch: send })
createClient({ baseUrl: 'https://x/v1', apiKey: 'key', fetch })
await client.listOrders({ signal: AbortSignal.timeout(1) })
// @ts-expect-error a signal is not a number
await client.listOrders({ signal: 5 })
`

const { ModuleKind, ModuleResolutionKind } = ts
const resolutions: Record<string, ts.CompilerOptions> = {
  nodenext: { module: ModuleKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
}
const environments: Record<string, ts.CompilerOptions & { files: string[] }> = {
  'ES2022 alone': { lib: ['lib.es2022.d.ts'], files: ['uses.ts'] },
  'ES2022 and DOM': { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], files: ['uses.ts', 'platform.ts'] },
  'ES2022 and Node': { lib: ['lib.es2022.d.ts'], types: ['node'], files: ['uses.ts', 'platform.ts', 'readme.ts'] },
}

t.test('its types compile without skipLibCheck, and so does the example of the README', async (t) => {
  const [, example = ''] = /^```ts\n(.*?)^```/ms.exec(await readFile(`${installed}/README.md`, 'utf8')) ?? []
  t.match(example, 'createClient(')
  await writeFile(`${consumer}/readme.ts`, example)
  await writeFile(`${consumer}/uses.ts`, uses)
  await writeFile(`${consumer}/platform.ts`, platform)
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipDefaultLibCheck: true, noEmit: true }
  const typeRoots = [resolve('node_modules/@types')]
  for (const [resolution, resolving] of Object.entries(resolutions)) {
    for (const [environment, { files, ...having }] of Object.entries(environments)) {
      const options = { ...strict, skipLibCheck: false, target: ts.ScriptTarget.ES2022, types: [], typeRoots }
      const names = files.map((file) => `${consumer}/${file}`)
      const program = ts.createProgram(names, { ...options, ...resolving, ...having })
      const findings = ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), ts.createCompilerHost(options))
      t.equal(findings, '', `${resolution}, ${environment}`)
    }
  }
})
