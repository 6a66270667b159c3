// The OpenAPI document as JSON and as YAML, with the addresses of the request in it.

import type { Document } from 'exact-openapi'
import { modelOf, type Server, withServers } from 'exact-openapi/model'
import { isLosslessNumber, stringify as stringifyJson } from 'lossless-json'
import { type ScalarTag, stringify } from 'yaml'
import type { Address } from './address.ts'
import { atAddresses } from './at-addresses.ts'
import { lazy, memoize } from './static/memoize.ts'
import type { Copies, Resource } from './static/resource.ts'

type At = (address: Address) => Resource

export interface Formats {
  json: At
  yaml: At
  /** Another text made of the JSON, which has placeholders for addresses. */
  changed(change: (json: string, isApiKnown: boolean) => string): At
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
  const texts = memoize((server: string) => {
    const { servers } = modelOf(document)
    const served = servers.length > 0 ? withServers(document, serversAt(servers, server)) : document
    return {
      json: lazy(() => String(stringifyJson(served, null, 2))),
      yaml: lazy(() => stringify(served, yamlOptions)),
    }
  }, 16)
  const serverAt = ({ prefix, baseUrl, isApiKnown }: Address) => (isApiKnown ? prefix : baseUrl)
  const resourceOf = (type: string, textOf: (address: Address) => string): At => {
    const textAt = atAddresses(copiesOf(type), textOf, { limit: 16 })
    return (address) => textAt(serverAt(address), address, address)
  }
  return {
    json: resourceOf(types.json, (address) => texts(serverAt(address)).json()),
    yaml: resourceOf(types.yaml, (address) => texts(serverAt(address)).yaml()),
    changed: (change) =>
      resourceOf(types.json, (address) => change(texts(serverAt(address)).json(), address.isApiKnown)),
  }
}

/** `server` is the prefix of the document's relative server, or an absolute URL that takes its place. */
function serversAt(servers: readonly Server[], server: string) {
  return servers.map((each) => {
    if (!each.url.startsWith('/')) return each
    return { ...each, url: URL.canParse(server) ? server : `${server}${each.url}` }
  })
}
