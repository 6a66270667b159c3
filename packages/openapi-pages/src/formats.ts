// The OpenAPI document as JSON and as YAML, with the addresses of the request in it.

import type { Document } from 'exact-openapi'
import { modelOf, type Server, withServers } from 'exact-openapi/model'
import { isLosslessNumber, stringify as stringifyJson } from 'lossless-json'
import { type ScalarTag, stringify } from 'yaml'
import { type Address, located } from './address.ts'
import { lazy, memoize } from './static/memoize.ts'
import type { Copies, Resource } from './static/resource.ts'

type Format = 'json' | 'yaml'

export interface Formats {
  text(format: Format, address: Address): string
  resource(format: Format, address: Address): Resource
}

/** In examples, with their digits. */
const decimal: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: Number,
  stringify: ({ value }) => String(value),
}

const yamlOptions = { compat: 'yaml-1.1' as const, aliasDuplicateObjects: false, customTags: [decimal] }

const types = { json: 'application/json', yaml: 'application/yaml' }

export function formatsOf(document: Document, copiesOf: Copies): Formats {
  // Writing YAML takes 30 ms and depends only on the server's URL. The origin of the request is put into the text.
  const templates = memoize((server: string) => {
    const { servers } = modelOf(document)
    const served = servers.length > 0 ? withServers(document, serversAt(servers, server)) : document
    return {
      json: lazy(() => located(String(stringifyJson(served, null, 2)))),
      yaml: lazy(() => located(stringify(served, yamlOptions))),
    }
  }, 16)
  const content = (format: Format, address: Address) => {
    const { prefix, baseUrl, isApiKnown } = address
    return templates(isApiKnown ? prefix : baseUrl)[format]()(address)
  }
  const copyOf = { json: copiesOf(types.json), yaml: copiesOf(types.yaml) }
  const resources = memoize((_key, format: Format, address: Address) => copyOf[format](content(format, address)))
  return {
    text: (format, address) => String(content(format, address).bytes()),
    resource: (format, address) =>
      resources(`${format} ${address.prefix} ${address.baseUrl} ${address.rootUrl}`, format, address),
  }
}

/** `server` is the prefix of the document's relative server, or an absolute URL that takes its place. */
function serversAt(servers: readonly Server[], server: string) {
  return servers.map((each) => {
    if (!each.url.startsWith('/')) return each
    return { ...each, url: URL.canParse(server) ? server : `${server}${each.url}` }
  })
}
