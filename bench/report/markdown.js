// bench/RESULTS.md, from a whole run.
import process from 'node:process'
import { cores, memoryGb, versions } from '../machine.js'
import { figureOf } from './format.js'
import { markdown, tableOf } from './table.js'

/** @param {import('../run-row.js').Result[]} results @param {{ rounds: number, seconds: number }} options */
export function resultsPage(results, { rounds, seconds }) {
  const sections = [
    '# Benchmark',
    `Written by \`npm run bench -- --rounds ${rounds} --seconds ${seconds}\` on ${today()}: Linux, ${cores} cores, \
${memoryGb} GB of memory, Node.js ${process.version.slice(1)}. Server and load had a core each; medians of ${rounds} \
interleaved rounds of ${seconds} s.`,
    '![Requests a second from 10 to 1,000,000 orders](results.svg)',
    '## What must be reached',
    markdown(tableOf(results)),
    'A ratio is this server over the other; where several are meant, over the best of them.',
    '## Every figure',
    markdown(
      [['row', 'who', 'median', 'lowest', 'highest', 'its answer'], ...results.flatMap(everyFigure)],
      (column) => column >= 2 && column <= 4,
    ),
    '## How it is measured',
    method,
    '## Versions',
    markdown([['what', 'version'], ...versions()], () => false),
  ]
  return `${sections.join('\n\n')}\n`
}

const today = () => new Date().toISOString().slice(0, 10)

function everyFigure({ row, figures }) {
  return figures.map(({ name, values, median, same }, index) => [
    index === 0 ? row.title : '',
    name,
    figureOf(median, row.unit),
    figureOf(Math.min(...values), row.unit),
    figureOf(Math.max(...values), row.unit),
    index === 0 ? '' : (same ?? ''),
  ])
}

const method = `\
- **In one run, on the same data**: all servers of a row are up, and each round asks one after the other, to and fro.
  What differs between two machines differs for all of them; read the ratios.
- **The same JSON**: before anything is timed every answer is compared with this server's, by the SHA-256 of its bytes
  ("same bytes") or else parsed ("same JSON"), and a wrong key must get 401. Any answer other than 2xx or 3xx, or a
  socket error, ends the run.
- **Peers** are in \`bench/peers/\`. \`raw\` is node:http with one cached buffer, and \`fastify-buffer\` the same through
  Fastify; both check the key (a comparison of the header) and send the same headers as this server, which is checked too.
  \`fastify-map\` and the spec-first peers (glue, express-openapi-validator, openapi-backend, hono-zod-openapi) hold a
  Map of orders and serialise it for every request, without this server's headers. nginx sends a static file and checks
  no key. Logging is off for all, but for the row that says otherwise.
- **Load**: wrk, 16 connections; at 1,000,000 orders four, and twice as long. From 100,000 orders on, those that
  serialise for every request are asked over one connection, for three answers at least, and their figure is the inverse
  of the mean time of an answer: they are busy with one at a time, and more connections only make them slower.
- **DELETE** cancels running ids, each once. For its 99th percentile, fresh servers are warmed by cancels of unknown ids
  and then asked to cancel the 1,000 orders that the smaller store has, over 16 connections.
- **Memory** is VmRSS, and at its peak VmHWM, of a fresh server at rest, in MB of 10^6 bytes. Stalled readers have read
  a megabyte.
- **The event loop's delay** is the longest that \`perf_hooks.monitorEventLoopDelay\` saw in a fresh server while it was asked
  for its first HEAD, list and gzip list, for lists after a cancel and after 900 in as many pages, and for a pet.
- **Loading** is the server's loader, beside a loop that reads the whole file and parses each line, and keeps nothing;
  each in a process of its own.
- **Start** is the time from the start of the process until a list of the sample has arrived.
- **PostgreSQL** is a server of the run's own, with fsync on, 512 MB of shared buffers and both cores to itself, the servers
  and the load. Latencies are medians, one request at a time. \`SELECT 1\` goes through the pool of the server, in a
  process without HTTP, and so does "the store alone". A list after a cancel is timed until its first byte; before that,
  PostgreSQL's own count says that one page was read. Cancels, of the server and of pgbench, are held against the
  database. The CPU of two instances is that of both, one connection each, divided by the requests of both: more
  requests a second would need more cores.`
