// What all operations have in common: it is documented once.
import type { Model, Response } from 'exact-openapi/model'
import { exampleOf } from './bodies.ts'
import { type Field, headerFields } from './fields.ts'
import type { Ids } from './ids.ts'

export function sharedBy({ operations }: Model): { responses: readonly Response[]; headers: readonly string[] } {
  const [first, ...others] = operations.map(({ responses }) => responses)
  const isShared = (holds: (responses: readonly Response[]) => boolean) => others.length > 0 && others.every(holds)
  const textOf = ({ status, description, media }: Response) =>
    [status, description.replace(/\s+/g, ' '), ...media.map(mediaText)].join('\n')
  const hasHeader = (responses: readonly Response[], name: string) =>
    responses.slice(0, 1).some(({ headers }) => headers.some((header) => header.name === name))
  return {
    responses: (first ?? []).filter(
      (response) =>
        Number(response.status) >= 400 && isShared((all) => all.some((other) => textOf(other) === textOf(response))),
    ),
    headers: (first?.[0]?.headers ?? [])
      .map(({ name }) => name)
      .filter((name) => isShared((all) => hasHeader(all, name))),
  }
}

const mediaText = ({ type, schema, examples }: Response['media'][number]) =>
  `${type} ${schema?.pointer} ${examples.map(({ value }) => exampleOf(value)).join()}`

/** Each once, the common ones first. One of the same name with another description is another header. */
export function allHeaders({ operations, webhooks }: Model, common: readonly string[], ids: Ids): Field[] {
  const responses = [...operations, ...webhooks].flatMap((operation) => operation.responses)
  const headers = responses.flatMap((response) => response.headers)
  const names = [...new Set(headers.map(({ name }) => name))]
  const byText = new Map(headers.map((header) => [`${header.name} ${header.description}`, header]))
  const sorted = [...byText.values()].toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
  const unique = headerFields(ids, sorted)
  const isCommon = ({ name }: Field) => common.includes(name)
  return [...unique.filter(isCommon), ...unique.filter((header) => !isCommon(header))]
}
