// The document as JSON and as YAML.
import { stringify } from 'yaml'
import { baseUrlOf, type Document, exampleServer } from '../../spec/document.ts'
import { once } from '../static/once.ts'
import { type Resource, resource } from '../static/resource.ts'

export interface Forms {
  json(): Resource
  yaml(): Resource
}

export function formsOf(given: Document): Forms {
  const text = JSON.stringify(given, null, 2).replaceAll(exampleServer, baseUrlOf(given, ''))
  const document = JSON.parse(text)
  return {
    json: once(() => resource('application/json; charset=utf-8', text)),
    yaml: once(() => resource('application/yaml', stringify(document, { compat: 'yaml-1.1' }))),
  }
}

/** The document with its own relative server under `prefix`. */
export function below(prefix: string, document: Document): Document {
  const servers = document.servers?.map((server) =>
    server.url.startsWith('/') ? { ...server, url: `${prefix}${server.url}` } : server,
  )
  return { ...document, ...(servers && { servers }) }
}
