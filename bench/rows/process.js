// Rows on a process's memory, loading time and start time.
import { OURS } from '../servers.js'

const ours = { name: OURS, peer: OURS }
const peersOf = (...names) => names.map((name) => ({ name, peer: name }))
const million = 1_000_000

/** @type {import('./index.js').Row[]} */
export const processRows = [
  {
    name: 'resident',
    title: 'Resident memory, 1,000,000 orders loaded and listed, above 10 orders',
    method: 'resident',
    unit: 'MB',
    orders: million,
    entries: [ours, ...peersOf('fastify-map', 'glue')],
    targets: [{ atMost: 180 }, { of: ['glue'] }],
  },
  {
    name: 'stalled',
    title: '200 readers stalled in a list of 1,000,000 orders: additional memory',
    method: 'stalled',
    unit: 'MB',
    orders: million,
    entries: [ours, ...peersOf('raw', 'fastify-buffer')],
    targets: [{ atMost: 64 }, { of: ['raw'] }],
  },
  {
    name: 'event-loop',
    title: 'Longest delay of the event loop, 1,000,000 orders: first list, first gzip, 900 cancels and a list',
    method: 'delay',
    unit: 'ms',
    orders: million,
    entries: [ours],
    targets: [{ atMost: 50 }],
  },
  {
    name: 'loading',
    title: 'Loading 1,000,000 orders from .ndjson',
    method: 'loading',
    unit: 's',
    orders: million,
    entries: [
      { name: OURS, peer: 'load-orders' },
      { name: 'JSON.parse of each line', peer: 'parse-lines' },
    ],
    targets: [{ of: ['JSON.parse of each line'], atMost: 3 }],
  },
  {
    name: 'loading-peak',
    title: 'Loading 1,000,000 orders: peak memory, and resident afterwards',
    method: 'peak',
    unit: 'MB',
    orders: million,
    entries: [ours, { ...ours, name: 'resident afterwards' }],
    targets: [{ of: ['resident afterwards'], atMost: 1.5 }],
  },
  {
    name: 'start',
    title: 'Start to first answer on the sample',
    method: 'starting',
    unit: 'ms',
    orders: 0,
    entries: [ours, { name: 'Fastify, glue, swagger-ui', peer: 'bare' }],
    targets: [{ of: ['Fastify, glue, swagger-ui'], atMost: 1.25 }],
  },
]
