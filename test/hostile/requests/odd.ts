// Complete but odd requests: each has its statuses, and the response may close the connection.
import type { Exchange, Source } from '../types.ts'
import type { Broken } from './broken.ts'
import { cancel, LIST } from './calls.ts'
import { authorization, type Field, latin1, type Message, requestId, write } from './message.ts'

/** Invalid hosts (RFC 3986, section 3.2.2). */
const badHosts = 'a b/c@d|a/b|user@host|host:abc|[::1|::1]|%zz|a\x80|<a>|a b|a\\b|"a"|a?b|[x]'.split('|')
/** Hosts that a strict parser may reject. */
const doubtfulHosts = ['', 'a,b', 'host:99999', 'host:', '%41', 'a_b', '..', '[v1.x]']
const badPercents = ['%', '%2', '%zz', '%c3%28', '%ff', '%0', '1%', '%u0031', '%e0%80%80', '%%31']
const goodPercents = ['/v1/store/%6frders', '/v1/%73tore/orders', '/%76%31/store/orders']
const strangePaths = [
  ...['/1/2', '/', ';a', '/1%2f2'].map((rest) => `/v1/store/orders${rest}`),
  ...['//v1/store/orders', '/v1/../v1/store/orders', '/;', '/%00', '/\\', '/v1%2fstore%2forders', '/.well-known/x'],
]
const absolutes = [
  ...['http://', 'http:///v1', 'ftp://a/b', 'https://a.example/v1/store/orders', 'HTTP://b.example/', 'http://a b/'],
  ...['http://[::1/', 'http://u:p@h/', 'x:y', 'http:/v1'],
]

interface Odd {
  message: Message
  statuses: readonly number[]
  order?: bigint | undefined
}

const keyed = { isKeyed: true }
const oddQueries = ['%zz', 'a[b]=c', '=&=', '?', '\'"', 'x=%00']

const oddities: readonly ((source: Source) => Odd)[] = [
  (source) => hosts(source, [], [400]),
  (source) => hosts(source, [source.world.host, source.world.host], [400]),
  (source) => hosts(source, [source.world.host, 'other.example'], [400]),
  (source) => hosts(source, [source.random.pick(badHosts)], [400]),
  (source) => hosts(source, [source.random.pick(badHosts)], [400]),
  (source) => hosts(source, [source.random.pick(doubtfulHosts)], [400, 204, 404]),
  (source) => get(source, `${LIST}/${source.random.pick(badPercents)}`, { isKeyed: true, method: 'DELETE' }, [400]),
  (source) => get(source, `${LIST}/${source.random.pick(badPercents)}`, { method: 'DELETE' }, [401]),
  (source) => get(source, `/v1/pets/${source.random.pick(badPercents)}`, keyed, [400]),
  (source) => get(source, `/v1/pets/${source.random.pick(badPercents)}`, {}, [401]),
  (source) => get(source, `/${source.random.pick(badPercents)}`, {}, [400, 404]),
  (source) => get(source, `/${source.random.pick(badPercents)}`, { isKeyed: true, method: 'DELETE' }, [400, 404]),
  (source) => get(source, source.random.pick(goodPercents), keyed, [200]),
  (source) => get(source, source.random.pick(goodPercents), { method: 'PUT' }, [405]),
  (source) => get(source, source.random.pick(goodPercents), { method: 'OPTIONS' }, [204]),
  (source) => get(source, source.random.pick(strangePaths), keyed, [200, 301, 302, 308, 400, 404, 405]),
  (source) => get(source, source.random.pick(absolutes), keyed, [200, 302, 400, 404, 421]),
  (source) => {
    const method = source.random.pick(['GET', 'OPTIONS', 'DELETE'])
    return get(source, '*', { method, isKeyed: true }, [204, 302, 400, 404, 405])
  },
  (source) => get(source, `${LIST}?${source.random.pick(oddQueries)}`, keyed, [200, 400]),
  (source) => get(source, `${LIST}#f`, keyed, [200, 400, 404]),
  fields('If-Match: \r\nIf-None-Match: *,*\r\nAccept: ,,;q=', [204, 400, 404, 406, 412]),
  fields('Expect: ', [204, 400, 404, 417]),
  fields('Connection: x, ,close-x', [204, 404]),
  fields(`Accept: ${','.repeat(8000)}`, [204, 400, 404, 406]),
  fields('Accept-Encoding: gzip;q=2,*;q=0,identity;q=0', [204, 404, 406]),
  fields('Content-Length: 5, 5', [204, 404, 400], 'hello'),
  fields('Content-Length: 5\r\nContent-Length: 5', [204, 404, 400], 'hello'),
  fields('Content-Length: 0005', [204, 404, 400], 'hello'),
  fields('X-Folded: a\r\n b', [204, 404, 400]),
  fields('X-Delete: \x7f', [204, 404, 400]),
  fields('Transfer-Encoding: chunked', [204, 404, 400], '5 \r\nhello\r\n0\r\n\r\n'),
  fields('Transfer-Encoding: chunked', [204, 404, 400], '5\nhello\n0\n\n'),
  fields('Transfer-Encoding: chunked ', [204, 404, 400], '5\r\nhello\r\n0\r\n\r\n'),
  fields('Transfer-Encoding: chunked,', [204, 404, 400], '0\r\n\r\n'),
]

export function odd(source: Source): Exchange {
  const { message, statuses, order } = source.random.pick(oddities)(source)
  const id = message.fields.find(([name]) => name === 'X-Request-Id')?.[1]
  return { bytes: write(message), response: { method: message.method, statuses, closes: 'may', id, order } }
}

/** A valid cancellation except for its Hosts. */
function hosts(source: Source, values: readonly string[], statuses: readonly number[]): Odd {
  const { method, target, order } = cancel(source)
  const all = values.map((value): Field => ['Host', value])
  const message = { method, target, fields: [...all, requestId(source.random), authorization(source.world)] }
  return { message, statuses, order }
}

function get(
  { world, random }: Source,
  target: string,
  { method = 'GET', isKeyed = false }: { method?: string; isKeyed?: boolean },
  statuses: readonly number[],
) {
  const fields: Field[] = [['Host', world.host], requestId(random)]
  return { message: { method, target, fields: isKeyed ? [...fields, authorization(world)] : fields }, statuses }
}

/** A valid cancellation except for these lines. */
function fields(lines: string, statuses: readonly number[], body = '') {
  const [, name = '', value = ''] = /^([^:]+): (.*)$/s.exec(lines) ?? []
  return (source: Source): Odd => {
    const { message, order } = hosts(source, [source.world.host], statuses)
    return { message: { ...message, fields: [...message.fields, [name, value]], body }, statuses, order }
  }
}

/** The bytes of a broken request to cancel or list. */
export function brokenBytes(
  source: Source,
  { line = 'METHOD TARGET HTTP/1.1', fields: added = '', body = '' }: Broken,
) {
  const { method, target } = source.random.chance(0.7) ? cancel(source) : { method: 'GET', target: LIST }
  const [name, value] = authorization(source.world)
  const first = line.replace('METHOD', method).replace('TARGET', target)
  return latin1(`${first}\r\nHost: ${source.world.host}\r\n${name}: ${value}\r\n${added}\r\n${body}`)
}
