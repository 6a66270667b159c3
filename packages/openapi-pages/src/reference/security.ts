// Who may call an operation: the schemes of the document, and what an operation asks for. Texts are Markdown.
import type { Model, Operation, SecurityScheme } from 'exact-openapi/model'
import type { Ids } from './ids.ts'
import { code, list, paragraphs } from './texts.ts'

export function schemesOf({ securitySchemes }: Model, ids: Ids) {
  return [...securitySchemes].map(([name, scheme]) => ({ id: ids(`security-${name}`), name, text: textOf(scheme) }))
}

/** Alternatives, each the schemes that it takes together. '' if the document does not say who may call the operation. */
export function accessOf({ security, scopes }: Operation, schemes: ReturnType<typeof schemesOf>): string {
  if (!security) return ''
  const linked = (name: string) => {
    const scheme = schemes.find((candidate) => candidate.name === name)
    return scheme ? `[${code(name)}](#${scheme.id})` : code(name)
  }
  const textOf = (alternative: Operation['scopes'][number]) => {
    const parts = Object.entries(alternative).map(([name, wanted]) =>
      wanted.length > 0 ? `${linked(name)} with ${wanted.map(code).join(', ')}` : linked(name),
    )
    return parts.join(' and ') || 'none'
  }
  // Some documents repeat a scheme for each scope that is enough.
  const namesOf = (alternative: object) => Object.keys(alternative).join()
  const alternatives = [...new Set(scopes.map(namesOf))].map((name) => {
    const all = scopes.filter((alternative) => namesOf(alternative) === name)
    const enough = all.flatMap((alternative) =>
      Object.keys(alternative).length === 1 ? Object.values(alternative) : [],
    )
    if (all.length === 1 || enough.length === 0) return [...new Set(all.map(textOf))].join(', or ')
    if (enough.some(({ length }) => length === 0)) return linked(name)
    return `${linked(name)} with ${enough.map((wanted) => wanted.map(code).join(' and ')).join(' or ')}`
  })
  return `Authorization: ${alternatives.join(', or ') || 'none'}`
}

interface Flow {
  scopes: Readonly<Record<string, string>>
  [url: string]: unknown
}

type Scheme = SecurityScheme & { deprecated?: boolean; flows?: Record<string, Flow> }

function textOf(scheme: SecurityScheme): string {
  const { description, deprecated, flows = {} } = scheme as Scheme
  const parts = Object.entries(flows).map(([name, flow]) =>
    paragraphs(`Flow: ${spaced(name)}`, list(urlsOf(flow)), list(Object.entries(flow.scopes).map(scopeText))),
  )
  const kind = `${kindOf(scheme)}${deprecated ? ', deprecated' : ''}`
  return paragraphs(kind, description, list(urlsOf(scheme)), ...parts)
}

const scopeText = ([name, description]: [string, string]) => `${code(name)}: ${description}`

/** `HTTP bearer (JWT)`, `API key in the header X-Key`. */
function kindOf(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `API key in the ${scheme.in} ${code(scheme.name)}`
  if (scheme.type !== 'http') return kinds[scheme.type] ?? scheme.type
  return `HTTP ${scheme.scheme}${scheme.bearerFormat === undefined ? '' : ` (${scheme.bearerFormat})`}`
}

const kinds: Record<string, string> = {
  oauth2: 'OAuth 2.0',
  openIdConnect: 'OpenID Connect',
  mutualTLS: 'Client certificate',
}

function urlsOf(part: object): string[] {
  const urls = Object.entries(part).filter(([key]) => key.endsWith('Url'))
  return urls.map(([key, url]) => `${spaced(key.replace(/Url$/, ''))} URL: <${url}>`)
}

/** `authorizationCode` as `authorization code`. */
const spaced = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
