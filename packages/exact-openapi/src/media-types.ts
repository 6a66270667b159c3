// Media types (WHATWG MIME Sniffing, section 4.6).

/** Not a range of HTTP, but what ASP.NET writes: JSON of any name. */
const ANY_JSON = 'application/*+json'

/** JSON alone, if there is any: what a client sends and asks for. */
export function preferred<Kind extends { type: string }>(media: readonly Kind[]): readonly Kind[] {
  const json = media.filter(({ type }) => isJson(type))
  return json.length > 0 ? json : media
}

export const isJson = (type: string) => /^((application|text)\/json|[^/]+\/.+\+json)$/.test(essenceOf(type))
export const isForm = (type: string) => essenceOf(type) === 'application/x-www-form-urlencoded'
export const isMultipart = (type: string) => essenceOf(type) === 'multipart/form-data'

/** Without its parameters, in lower case. */
export const essenceOf = (type: string) => String(type.split(';', 1)[0]).trim().toLowerCase()

/** Whether a range such as `image/*` has the media type. */
export const isInRange = (type: string, range: string) =>
  range === '*/*' || (range.endsWith('/*') && essenceOf(type).startsWith(range.slice(0, -1)))

const parametersOf = (type: string) =>
  type
    .toLowerCase()
    .split(';')
    .slice(1)
    .map((text) => text.trim().replace(/="(.*)"$/, '=$1'))

/** With its parameters but `charset` and `boundary`, in one order and case. */
function fullTypeOf(type: string): string {
  const parameters = parametersOf(type)
  const telling = parameters.filter((parameter) => parameter !== '' && !/^(charset|boundary)=/.test(parameter))
  return [essenceOf(type), ...telling.sort()].join(';')
}

/** What describes a body of a type: first with all parameters, then without, then JSON of any name, then a range. */
export function describing<Kind extends { type: string }>(all: readonly Kind[], given: string): Kind | undefined {
  const wanted = essenceOf(given)
  return (
    all.find(({ type }) => fullTypeOf(type) === fullTypeOf(given)) ??
    all.find(({ type }) => essenceOf(type) === wanted) ??
    (isJson(given) ? all.find(({ type }) => essenceOf(type) === ANY_JSON) : undefined) ??
    all.find(({ type }) => type !== '*/*' && isInRange(given, type)) ??
    all.find(({ type }) => type === '*/*')
  )
}

/** Whether a charset that is given is UTF-8 or a part of it. */
export function isUtf8(type: string): boolean {
  const charset = parametersOf(type).find((text) => text.startsWith('charset='))
  return charset === undefined || /^charset=(utf-8|us-ascii)$/.test(charset)
}
