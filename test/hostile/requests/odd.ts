// Complete but odd requests: each has its statuses, and the response may close the connection.
import { LIST } from './calls.ts'
import type { Variant } from './variant.ts'

/** Invalid hosts (RFC 3986, section 3.2.2). */
const badHosts = 'a b/c@d|a/b|user@host|host:abc|[::1|::1]|%zz|a\x80|<a>|a b|a\\b|"a"|a?b|[x]'.split('|')
/** Hosts that a strict parser may reject. */
const doubtfulHosts = ['', 'a,b', 'host:99999', 'host:', '%41', 'a_b', '..', '[v1.x]']
const badPercents = ['%', '%2', '%zz', '%c3%28', '%ff', '%0', '1%', '%u0031', '%e0%80%80', '%%31']
const goodPercents = ['/v1/store/%6frders', '/v1/%73tore/orders', '/%76%31/store/orders']
const strangePaths = [
  ...['/1/2', '/', ';a', '/1%2f2'].map((rest) => `${LIST}${rest}`),
  ...['//v1/store/orders', '/v1/../v1/store/orders', '/;', '/%00', '/\\', '/v1%2fstore%2forders', '/.well-known/x'],
]
const absolutes = [
  ...['http://', 'http:///v1', 'ftp://a/b', 'https://a.example/v1/store/orders', 'HTTP://b.example/', 'http://a b/'],
  ...['http://[::1/', 'http://u:p@h/', 'x:y', 'http:/v1'],
]
const oddQueries = ['%zz', 'a[b]=c', '=&=', '?', '\'"', 'x=%00'].map((query) => `${LIST}?${query}`)

const below = (path: string, names: readonly string[]) => names.map((name) => `${path}/${name}`)
const [keyed, anonymous] = [{}, { isAnonymous: true }]

const hosts: readonly [hosts: readonly string[], statuses: number[]][] = [
  [[], [400]],
  [['a', 'a'], [400]],
  [['a', 'other.example'], [400]],
  ...badHosts.map((host): [string[], number[]] => [[host], [400]]),
  ...doubtfulHosts.map((host): [string[], number[]] => [[host], [400, 204, 404]]),
]
const targets: readonly [method: string, targets: readonly string[], key: object, statuses: number[]][] = [
  ['DELETE', below(LIST, badPercents), keyed, [400]],
  ['DELETE', below(LIST, badPercents), anonymous, [401]],
  ['GET', below('/v1/pets', badPercents), keyed, [400]],
  ['GET', below('/v1/pets', badPercents), anonymous, [401]],
  ['GET', below('', badPercents), anonymous, [400, 404]],
  ['DELETE', below('', badPercents), keyed, [400, 404]],
  ['GET', goodPercents, keyed, [200]],
  ['PUT', goodPercents, anonymous, [405]],
  ['OPTIONS', goodPercents, anonymous, [204]],
  ['GET', strangePaths, keyed, [200, 301, 302, 308, 400, 404, 405]],
  ['GET', absolutes, keyed, [200, 302, 400, 404, 421]],
  ['GET', ['*'], keyed, [302, 400, 404, 405]],
  ['OPTIONS', ['*'], keyed, [204, 302, 400, 404, 405]],
  ['DELETE', ['*'], keyed, [302, 400, 404, 405]],
  ['GET', oddQueries, keyed, [200, 400]],
  ['GET', [`${LIST}#f`], keyed, [200, 400, 404]],
]
const fields: readonly [lines: string, statuses: number[], body?: string][] = [
  ['If-Match: \r\nIf-None-Match: *,*\r\nAccept: ,,;q=', [204, 400, 404, 406, 412]],
  ['Expect: ', [204, 400, 404, 417]],
  ['Connection: x, ,close-x', [204, 404]],
  [`Accept: ${','.repeat(8000)}`, [204, 400, 404, 406]],
  ['Accept-Encoding: gzip;q=2,*;q=0,identity;q=0', [204, 404, 406]],
  ['Content-Length: 5, 5', [204, 404, 400], 'hello'],
  ['Content-Length: 5\r\nContent-Length: 5', [204, 404, 400], 'hello'],
  ['Content-Length: 0005', [204, 404, 400], 'hello'],
  ['X-Folded: a\r\n b', [204, 404, 400]],
  ['X-Delete: \x7f', [204, 404, 400]],
  ['Transfer-Encoding: chunked', [204, 404, 400], '5 \r\nhello\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', [204, 404, 400], '5\nhello\n0\n\n'],
  ['Transfer-Encoding: chunked ', [204, 404, 400], '5\r\nhello\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked,', [204, 404, 400], '0\r\n\r\n'],
]

const all: readonly Omit<Variant, 'closes'>[] = [
  ...hosts.map(([hosts, statuses]) => ({ hosts, statuses })),
  ...targets.flatMap(([method, targets, key, statuses]) =>
    targets.map((target) => ({ ...key, method, target, statuses })),
  ),
  ...fields.map(([lines, statuses, body = '']) => ({ fields: `${lines}\r\n`, statuses, body })),
]
export const odd: readonly Variant[] = all.map((variant) => ({ ...variant, closes: 'may' }))
