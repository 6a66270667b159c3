// Sends random requests to the server and to express-openapi-validator, and fails where they differ without a known
// reason: node --import=./test/loader/typescript.js test/runners/fuzz/fuzz.ts PACKAGES [--seed 1] [--count 100000]
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { modelOf } from 'exact-openapi/model'
import { randomOf } from '../../hostile/random.ts'
import { echoing } from '../foreign/echo.ts'
import { reasonFor } from './differences.ts'
import { newer } from './newer.ts'
import { requestOf } from './requests.ts'
import { otherServer, ownServer } from './servers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, count: { type: 'string', default: '100000' } },
})
const [packages = ''] = positionals
const seed = Number(values.seed ?? randomInt(1_000_000))
const count = Number(values.count)
/** How many unexplained differences are printed. */
const SHOWN = 20
const AT_ONCE = 4

console.log(`--seed ${seed} --count ${count}`)
const former = [echoing('styles'), echoing('keywords')]
const documents = [...former, ...[...former, echoing('keywords-3.1')].map(newer)]
const peers = await Promise.all(
  documents.map(async (document) => ({
    operations: modelOf(document).operations,
    own: await ownServer(document),
    other: await otherServer(document, packages, false),
    otherForms: await otherServer(document, packages, true),
  })),
)
const operations = peers.flatMap(({ operations, own, other, otherForms }) =>
  operations.map((operation) => {
    const isForm = operation.body?.media.some(({ type }) => type.endsWith('form-urlencoded'))
    return { operation, own, other: isForm ? otherForms : other }
  }),
)

const reasons = new Map<string, number>()
const unexplained: string[] = []
let accepted = 0
let number = 0
async function worker() {
  while (number < count) {
    const random = randomOf(seed, number++)
    const { operation, own, other } = random.pick(operations)
    const request = requestOf(random, operation)
    const [ours, theirs] = await Promise.all([own.send(request), other.send(request)])
    if (ours.status === 200) accepted++
    const reason = reasonFor({ operation, request, ours, theirs })
    if (reason === undefined) unexplained.push(JSON.stringify({ operation: operation.id, request, ours, theirs }))
    else if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))
await Promise.all(peers.flatMap(({ own, other, otherForms }) => [own, other, otherForms].map((peer) => peer.close())))

for (const [reason, times] of reasons) console.log(`${times} times: ${reason}`)
for (const line of unexplained.slice(0, SHOWN)) console.log(line)
console.log(JSON.stringify({ requests: count, accepted, unexplained: unexplained.length }))
if (unexplained.length > 0) process.exitCode = 1
