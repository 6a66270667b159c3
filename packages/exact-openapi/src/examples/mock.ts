// Handlers that return an example of a response.
import type { FastifyRequest } from 'fastify'
import { isLosslessNumber, stringify } from 'lossless-json'
import { isItemsType } from '../contract/response/items.ts'
import { type Output, ofStatus } from '../contract/response/output.ts'
import { isJson } from '../media-types.ts'
import {
  type Exampled,
  type Header,
  type Media,
  type Operation,
  type Response,
  rounded,
  type Schema,
} from '../model/index.ts'
import { generateExample } from './value.ts'
import { firstViolation, isObject } from './violations.ts'

/** What a mock responds with, from the first to the last resort; with 200 where the document has only errors. */
const usual = [/^2/, /^default$/, /^3/]

/** The first successful response, or that of the status in the header `Prefer: code=404`. */
export function mock({ responses }: Operation) {
  const first = usual.flatMap((kind) => responses.filter(({ status }) => kind.test(status)))[0]
  return async (_input: never, _services: unknown, { headers }: FastifyRequest): Promise<Output> => {
    const [, code] = /\bcode=(\d{3})\b/.exec(String(headers.prefer)) ?? []
    const wanted = code && ofStatus(Number(code), (key) => responses.find(({ status }) => status === key))
    if (wanted) return exampleOf(wanted, Number(code))
    return first ? exampleOf(first, statusOf(first)) : { status: 200 }
  }
}

/** Of its range; 200 of the default. */
const statusOf = ({ status }: Response) => (status === 'default' ? 200 : Number(status.replaceAll('X', '0')))

function exampleOf({ headers, media }: Response, status: number): Output {
  const chosen = media.find(({ type }) => isJson(type)) ?? media[0]
  return {
    status,
    headers: Object.fromEntries(headers.map((header) => [header.name, headerText(header, contentOf(header))])),
    ...(chosen && bodyOf(chosen.type, rounded(allowedOf(chosen)))),
  }
}

/** As clients read it: JSON if its media type says so, else in the style `simple`. */
function headerText({ type, explode }: Header, value: unknown): string {
  if (type !== undefined && isJson(type)) return String(stringify(value))
  if (!isObject(value) || isLosslessNumber(value)) return String(value)
  return Object.entries(value)
    .map((pair) => pair.join(explode ? '=' : ','))
    .join()
}

function bodyOf(type: string, value: unknown): Pick<Output, 'type' | 'body'> {
  if (isJson(type)) return { type, body: value }
  if (isItemsType(type) && typeof value !== 'string') return { type, body: itemsOf(value) }
  const concrete = type.replace('*/*', 'text/plain').replace('*', 'plain')
  return { type: concrete, body: typeof value === 'string' ? value : stringify(value) }
}

async function* itemsOf(value: unknown) {
  yield value
}

/** The first example that the schema allows: authors leave in them what only requests have. */
function allowedOf(media: Media): unknown {
  const { type, schema, examples } = media
  if (!schema || !isJson(type)) return contentOf(media)
  const allowed = examples.find(({ value }) => !firstViolation(schema, value, 'response'))
  if (allowed) return allowed.value
  const made = generateExample(schema, 'response')
  return made.violation ? contentOf(media) : made.value
}

const contentOf = ({ examples: [first], schema }: Exampled & { schema: Schema | undefined }): unknown =>
  first ? first.value : generateExample(schema, 'response').value
