import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { messageOf } from 'test-kit/message'
import { loadOrders } from '../../../store/memory/load.ts'
import { listOf } from '../list.ts'

const orders = [
  '{"id":9223372036854775807,"petId":-9223372036854775808,"quantity":2}',
  '{"id":-9223372036854775808,"petId":9223372036854775807,"shipDate":"2026-12-04T09:00:00.000Z"}',
  '{"id":9007199254740993,"petId":9007199254740993,"complete":false}',
  '{"id":9007199254740992,"petId":-9007199254740993}',
  '{"id":0}',
]
const list = `[${orders.join(',')}]`

const fileOf = (t: Test, name: string, content: string | Buffer) => `${t.testdir({ [name]: content })}/${name}`
const failureOf = (t: Test, name: string, content: string | Buffer) => {
  const file = fileOf(t, name, content)
  return messageOf(() => loadOrders(file)).then((message) => message?.replaceAll(file, name))
}
const numbered = (count: number) => Array.from({ length: count }, (_, id) => `{"id":${id}}`)

t.test('files of every format load in order, with exact identifiers', async (t) => {
  for (const [name, content] of Object.entries({ 'lines.ndjson': orders.join('\n'), 'array.json': list })) {
    t.equal(await listOf(await loadOrders(fileOf(t, name, content))), list, name)
    t.equal(await listOf(await loadOrders(fileOf(t, `${name}.gz`, gzipSync(content)))), list, `${name}.gz`)
    const [start, end] = [content.slice(0, 20), content.slice(20)]
    const parts = Buffer.concat([gzipSync(start), gzipSync(end), Buffer.alloc(512)])
    t.equal(await listOf(await loadOrders(fileOf(t, `${name}.gz`, parts))), list, `${name}.gz in parts, with padding`)
  }
})

t.test('a file that contains no orders is rejected, with what to do', async (t) => {
  const cut = gzipSync(list).subarray(0, -12)
  const damaged = gzipSync(list)
  damaged.writeUInt8(damaged.readUInt8(20) ^ 255, 20)
  const padded = (zeros: number) => Buffer.concat([gzipSync('{"id":1}\n'), Buffer.alloc(zeros), gzipSync('{"id":2}')])
  const empty = 'the file is empty: for no orders, write [] in a .json file'
  const cases: [name: string, content: string | Buffer, message: string][] = [
    ['orders.csv', '', 'an orders file ends in .json or .ndjson, or in .json.gz or .ndjson.gz'],
    ['empty.json', '', empty],
    ['blank.json', '\uFEFF \r\n', empty],
    ['empty.ndjson', '', empty],
    ['nothing.ndjson.gz', '', 'the gzip file is cut short; copy it again'],
    ['cut.ndjson.gz', cut, 'the gzip file is cut short; copy it again'],
    ['plain.json.gz', list, 'this is not a valid gzip file; copy it again or drop the .gz'],
    ['damaged.ndjson.gz', damaged, 'this is not a valid gzip file; copy it again or drop the .gz'],
    ['padded.ndjson.gz', padded(600_000), 'the gzip file continues after zero bytes; remove them'],
  ]
  for (const [name, content, message] of cases) t.equal(await failureOf(t, name, content), `${name}: ${message}`)
})

t.test('a file that cannot be read is rejected', async (t) => {
  const dir = t.testdir({ 'orders.json': {}, 'orders.ndjson.gz': {} })
  for (const [name, message] of [
    ['missing.json', 'there is no such file'],
    ['orders.json', 'this is a directory; name a file'],
    ['orders.ndjson.gz', 'this is a directory; name a file'],
  ])
    t.equal(await messageOf(() => loadOrders(`${dir}/${name}`)), `${dir}/${name}: ${message}`)
})

t.test('every error has the line on which its order begins', async (t) => {
  const fields = 'an order has id, petId, quantity, shipDate, complete, status'
  const errors = (...lines: number[]) => [
    'nothing was loaded; correct these 6 errors:',
    `  line ${lines[0]}: no field of an order can be an array or an object`,
    `  line ${lines[1]}: unknown field "note": ${fields}`,
    `  line ${lines[1]}: id is missing`,
    `  line ${lines[2]}: id 7 is already on line ${lines[3]}`,
    `  line ${lines[4]}: id 7 is already on line ${lines[3]}`,
    `  line ${lines[5]}: id is missing`,
  ]
  const ndjson = '{"id":7}||{"id":[1]}|{"note":"x"}|{"id":1}|{"id":7}|{"id":2}|{"id":7}|{}'.replaceAll('|', '\r\n')
  const json = '[{"id":7},\n{"id":[1]},{\n\n"note":"x"},\n{"id":1},{"id":\n7},\n{"id":2}\n,{"id":7},\n{}]'
  t.equal(await failureOf(t, 'a.ndjson', ndjson), `a.ndjson: ${errors(3, 4, 6, 1, 8, 9).join('\n')}`)
  t.equal(await failureOf(t, 'a.json', json), `a.json: ${errors(2, 2, 5, 1, 8, 9).join('\n')}`)
  const alone = 'a.ndjson: nothing was loaded; correct this error:\n  line 1: id is missing'
  t.equal(await failureOf(t, 'a.ndjson', '{}'), alone)
})

t.test('a structural error has its line, after earlier errors', async (t) => {
  const printed = (await failureOf(t, 'a.json', '[{},\n{"id":2}\n{"id":3}\n]'))?.split('\n').slice(1)
  t.strictSame(printed, ['  line 1: id is missing', '  line 3: not JSON: a comma or the ] of the array expected'])
})

t.test('the first twenty of many errors are shown, and the number of others', async (t) => {
  for (const [count, ...more] of [[20], [27, '  and 7 more']] as const) {
    const content = [...numbered(30), ...numbered(count)].reverse().join('\n')
    const lineOf = (at: number) => `  line ${31 + at}: id ${count - 1 - at} is already on line ${1 + at}`
    const printed = Array.from({ length: 20 }, (_, at) => lineOf(at))
    const message = [`a.ndjson: nothing was loaded; correct these ${count} errors:`, ...printed, ...more]
    t.equal(await failureOf(t, 'a.ndjson', content), message.join('\n'))
  }
})

t.test('the progress of a large file and its end are reported', async (t) => {
  const content = `${numbered(100_001).join('\n')}\n`
  const callsOf = async (name: string, data: string | Buffer) => {
    const calls: [part: number, orders: number, isLast: boolean][] = []
    const file = fileOf(t, name, data)
    const failure = await messageOf(() => loadOrders(file, (...call) => calls.push(call)))
    t.ok(calls.every(([part]) => part > 0 && part <= 1))
    return { calls, failure }
  }
  for (const [name, data] of Object.entries({ 'a.ndjson': content, 'a.ndjson.gz': gzipSync(content) })) {
    const { calls, failure } = await callsOf(name, data)
    t.equal(failure, undefined)
    const reported = calls.map(([, orders, isLast]) => [orders, isLast].join())
    t.strictSame(reported, ['50000,false', '100000,false', '100001,true'], name)
    t.equal(calls.at(-1)?.[0], 1, name)
  }
  const { calls, failure } = await callsOf('cut.ndjson.gz', gzipSync(content).subarray(0, -1))
  t.match(failure, 'the gzip file is cut short')
  for (const [at, [, , isLast]] of calls.entries()) t.equal(isLast, at === calls.length - 1, 'also after a failure')
  t.strictSame((await callsOf('small.ndjson', '{"id":1}')).calls, [], 'a small file has none')
  const fails = () => assert.fail('meant')
  const message = await messageOf(() => loadOrders(fileOf(t, 'b.ndjson', content), fails))
  t.match(message, /meant/, 'its error is no error of an order')
})
