// Handlers that return an example of a response.
import type { FastifyRequest } from 'fastify'
import { stringify } from 'lossless-json'
import { exampleValue } from '../../examples/value.ts'
import type { Exampled, Media, Operation, Response, Schema } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { isJson } from '../media-types.ts'
import { isItemsType } from './items.ts'
import { describing, type Output } from './output.ts'

/** What a mock responds with, from the first to the last resort; with 200 where the document has only errors. */
const usual = [/^2/, /^default$/, /^3/]

/**
 * The first successful response, or that of the status in the header `Prefer: code=404`.
 * @param compile checks whether an example of the document is one that it allows
 */
export function mockOf({ responses }: Operation, compile: Compile) {
  const first = usual.flatMap((kind) => responses.filter(({ status }) => kind.test(status)))[0]
  return async (_input: never, _services: unknown, { headers }: FastifyRequest): Promise<Output> => {
    const [, code] = /\bcode=(\d{3})\b/.exec(String(headers.prefer)) ?? []
    const wanted = code && describing(Number(code), (key) => responses.find(({ status }) => status === key))
    if (wanted) return exampleOf(wanted, Number(code), compile)
    return first ? exampleOf(first, statusOf(first), compile) : { status: 200 }
  }
}

/** Of its range; 200 of the default. */
const statusOf = ({ status }: Response) => (status === 'default' ? 200 : Number(status.replaceAll('X', '0')))

function exampleOf({ headers, media }: Response, status: number, compile: Compile): Output {
  const chosen = media.find(({ type }) => isJson(type)) ?? media[0]
  return {
    status,
    headers: Object.fromEntries(headers.map((one) => [one.name, String(contentOf(one))])),
    ...(chosen && bodyOf(chosen.type, allowedOf(chosen, compile))),
  }
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
function allowedOf(media: Media, compile: Compile): unknown {
  const { type, schema, examples } = media
  if (!schema || !isJson(type) || examples.length === 0) return contentOf(media)
  const pointer = `${schema.pointer} as an example`
  const check = compile({ pointer, type: 'object', properties: { body: schema }, required: ['body'] })
  const values = [...examples.map(({ value }) => value), exampleValue(schema, 'response')]
  const allowed = values.filter((body) => check({ body: structuredClone(body) }).length === 0)
  return [...allowed, ...values][0]
}

const contentOf = ({ examples: [first], schema }: Exampled & { schema: Schema | undefined }): unknown =>
  first ? first.value : exampleValue(schema, 'response')
