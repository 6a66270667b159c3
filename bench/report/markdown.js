// Writes bench/RESULTS.md after a full run.
import process from 'node:process'
import { cores, memoryGb, versions } from '../machine.js'
import { spreadOf } from '../statistics.js'
import { figureOf } from './format.js'
import { markdown, tableOf } from './table.js'

/** @param {(import('../run-row.js').Result & import('../parts.js').Part)[]} results @param {{ rounds: number, seconds: number }} options */
export function resultsPage(results, { rounds, seconds }) {
  const sections = [
    '# Benchmark',
    `Written by \`npm run bench -- --rounds ${rounds} --seconds ${seconds}\`, ${times(results)}: Linux, ${cores} cores, \
${memoryGb} GB of memory, Node.js ${process.version.slice(1)}. Server and load had a core each; medians of ${rounds} \
interleaved rounds of ${seconds} s, each with fresh servers.`,
    '![Requests per second from 10 to 1,000,000 orders](results.svg)',
    '## Targets',
    markdown(tableOf(results)),
    'A ratio is this server over the other, or over the best of several: the median of the rounds, and its lowest and highest. A target is reached ("yes") if the whole range reaches it; "median" is a median that does while some round does not: on a machine with busy neighbours, neither a success nor a failure.',
    '## Every figure',
    markdown(
      [
        ['row', 'server', 'median', 'lowest', 'highest', 'CPU a request', 'lowest', 'highest', 'response'],
        ...results.flatMap(everyFigure),
      ],
      (column) => column >= 2 && column <= 7,
    ),
    '## How it is measured',
    method,
    '## Versions',
    markdown([['component', 'version'], ...versions()], () => false),
  ]
  return `${sections.join('\n\n')}\n`
}

/** When the rows ended, and how long they took. @param {import('../parts.js').Part[]} parts */
function times(parts) {
  const ends = parts.map(({ at }) => at).toSorted()
  const minutes = Math.round(parts.reduce((sum, { took }) => sum + took, 0) / 60)
  const [first, last] = [ends[0], ends.at(-1)].map((time) => time?.replace('T', ' ').slice(0, 16))
  return `in ${minutes} minutes between ${first} and ${last} UTC`
}

function everyFigure({ row, figures }) {
  return figures.map(({ name, values, cpu, same }, index) => [
    index === 0 ? row.title : '',
    name,
    ...spread(values, row.unit),
    ...(cpu.length > 0 ? spread(cpu, 'µs') : ['', '', '']),
    index === 0 ? '' : (same ?? ''),
  ])
}

function spread(values, unit) {
  const { median, lowest, highest } = spreadOf(values)
  return [median, lowest, highest].map((figure) => figureOf(figure, unit))
}

const method = `\
- **In one run, on the same data**: each round starts every server anew, warms it for twice the time of a measurement,
  and measures it; alone on its core, in turn, in alternating directions. What changes the machine changes neighbours
  alike: read the ratios, which are those of the rounds.
- A server that takes a second or longer for a response is measured in one round.
- **CPU a request** is the user and system time of the server's process alone, all its threads, from \`/proc\`, until it is
  at rest again, over the requests of the measurement. It varies less than requests per second, and is what an operator
  pays for.
- **The same JSON**: before anything is timed every response is compared with this server's, by the SHA-256 of its bytes
  ("same bytes") or else parsed ("same JSON"), and a wrong key must get 401. Any response other than 2xx or 3xx, or a
  socket error, ends the run.
- **Peers** are in \`bench/peers/\`. \`raw\` is node:http with one cached buffer, and \`fastify-buffer\` the same through
  Fastify; both check the key (a comparison of the header) and send the same headers as this server, which is checked too.
  \`fastify-map\` and the spec-first peers (glue, express-openapi-validator, openapi-backend, hono-zod-openapi) hold a
  Map of orders and serialize it for every request, without this server's headers. nginx sends a static file and checks
  no key. Logging is off for all, except in the row that says otherwise.
- **Load**: wrk, 16 connections; at 1,000,000 orders four, and twice as long. From 100,000 orders on, servers that
  serialize per request are measured over one connection, for at least three responses, and their figure is the inverse
  of the mean response time: they handle one request at a time, and more connections only make them slower.
- **DELETE** cancels consecutive ids, each once. For its 99th percentile, fresh servers are warmed by cancellations of
  unknown ids and then cancel the 1,000 orders that the smaller store has, over 16 connections.
- **Open load**: each request comes at its time, on a connection of its own if no idle one is left, for ten seconds. A busy
  loop shares the core of the server, which has a nice value of 10. The capacity is that of 16 clients just before.
  Goodput counts the lists that arrive within the ten seconds; recovery is the time until a request that is sent after
  them gets its list. Over HTTP/2, the windows of the clients are as large as possible.
- **Eight clients beside** others ask for a pet, one request after another: as soon as the server has written what the
  sockets of the others take, over the mean of before and after. **Waves** of clients ask for the list for two
  seconds; server and load share both cores.
- **Memory** is VmRSS, and at its peak VmHWM, of a fresh server at rest, in MB of 10^6 bytes. Stalled readers have read
  a megabyte.
- **Event loop delay** is the longest that \`perf_hooks.monitorEventLoopDelay\` measured in a fresh server during its
  first HEAD, list and gzip list, lists after one cancellation and after 900 in as many pages, and a pet.
- **Loading** is the server's loader, compared with a loop that reads the whole file, parses each line and discards the
  result; each in a process of its own.
- **Start** is the time from the start of the process until a list of the sample has arrived.
- **PostgreSQL** is a server of the run's own, with fsync on and 512 MB of shared buffers, and shares both cores with the
  servers and the load. Latencies are medians, one request at a time. \`SELECT 1\` goes through the pool of the server, in
  a process without HTTP, and so does "the store alone". A list after a cancellation is timed until its first byte; before
  that, PostgreSQL's own count shows that no page was read. Cancellations, of the server and of pgbench, are checked
  against the database. The CPU of two instances is that of both, one connection each, divided by the requests of both:
  more requests per second would need more cores.`
