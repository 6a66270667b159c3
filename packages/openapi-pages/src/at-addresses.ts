// Texts with placeholders, as each address has them.
import { piecesOf } from '#browser/highlight.js'
import { type Address, UNKNOWN_HOST } from './address.ts'
import { brokenServer, exampleOrigin, exampleRoot, exampleServer } from './server.ts'
import { memoize } from './static/memoize.ts'
import { type Content, digest, type Resource } from './static/resource.ts'

/** What stands in place of each placeholder. */
const placeholders = new Map<string, (address: Address) => string>([
  [exampleServer, ({ baseUrl }) => baseUrl],
  [brokenServer, ({ baseUrl }) => baseUrl],
  [exampleOrigin, ({ serverUrl }) => serverUrl || UNKNOWN_HOST],
  [exampleRoot, ({ rootUrl }) => rootUrl],
])
const placeholder = new RegExp(`(${[...placeholders.keys()].join('|').replaceAll('.', '\\.')})`)

/**
 * The text with the addresses of a request in it. Clients can make up any number of hosts, so the text is searched and hashed
 * once, and for each request only the addresses are.
 */
function located(text: string, written: (url: string) => string): (address: Address) => Content {
  const parts = text.split(placeholder).map((part) => (placeholders.has(part) ? part : Buffer.from(part)))
  const template = digest(text)
  return (address) => {
    const textOf = (name: string, url: string) =>
      name === brokenServer ? piecesOf(url).map(written).join('<wbr>') : written(url)
    const urls = new Map([...placeholders].map(([name, urlOf]) => [name, Buffer.from(textOf(name, urlOf(address)))]))
    return {
      version: digest(template, ...[...urls.values()].flatMap((url) => [' ', url])),
      bytes: () => Buffer.concat(parts.map((part) => (typeof part === 'string' ? (urls.get(part) as Buffer) : part))),
    }
  }
}

interface AtAddressesOptions {
  /** How an address is written within. */
  written?: ((url: string) => string) | undefined
  /** So many variants are kept. */
  limit?: number
}

/** A text with placeholders, at each address. It is rendered once for each variant, which has a name. */
export function atAddresses<Given>(
  resourceOf: (content: Content) => Resource,
  render: (given: Given) => string,
  { written = (url) => url, limit }: AtAddressesOptions = {},
): (variant: string, given: Given, address: Address) => Resource {
  const templates = memoize((_variant, given: Given) => located(render(given), written), limit)
  const resources = memoize((_key, variant: string, given: Given, address: Address) =>
    resourceOf(templates(variant, given)(address)),
  )
  return (variant, given, address) =>
    resources(`${variant} ${address.baseUrl} ${address.rootUrl}`, variant, given, address)
}
