// Rows of the limit on waits, each beside the server without it.
import { OURS } from '../servers.js'

const ours = { name: OURS, peer: OURS }
/** The server's default, which other rows turn off. */
const limited = { ...ours, env: { MAX_EVENT_LOOP_DELAY: '250' } }
const unlimited = { ...ours, name: 'without MAX_EVENT_LOOP_DELAY' }
const entries = [limited, unlimited]

/** Twice the capacity, over both protocols. @returns {import('./index.js').Row[]} */
const openLoads = [false, true].flatMap((isHttp2) => {
  const [name, over] = isHttp2 ? ['overload-http2', ' over HTTP/2'] : ['overload', '']
  const title = `Open load${over} at twice the capacity, 20,000 orders`
  /** @type {Pick<import('./index.js').Row, 'method' | 'orders' | 'entries' | 'isHttp2'>} */
  const load = { method: 'openLoad', orders: 20_000, entries, isHttp2 }
  return /** @type {import('./index.js').Row[]} */ ([
    {
      name: `${name}-goodput`,
      title: `${title}: goodput`,
      ...load,
      part: 'goodput',
      unit: 'of the capacity',
      targets: [{ atLeast: 0.8 }],
    },
    {
      name: `${name}-p99`,
      title: `${title}: 99th percentile of the lists`,
      ...load,
      part: 'p99',
      unit: 'ms',
      targets: [{ atMost: 1000 }],
    },
    {
      name: `${name}-recovery`,
      title: `${title}: time to recover`,
      ...load,
      part: 'recovery',
      unit: 's',
      targets: [{ atMost: 1 }],
    },
  ])
})

/** What must not count as load. @type {import('./index.js').Row[]} */
const attacks = [
  {
    name: 'half-requests',
    title: 'Eight clients beside 1,200 requests without their bodies, 50,000 orders',
    method: 'beside',
    attack: 'halfRequests',
    unit: 'of the responses without them',
    orders: 50_000,
    entries,
    targets: [{ atLeast: 0.95 }, { of: [unlimited.name] }],
  },
  {
    name: 'unread-lists',
    title: 'Eight clients beside 200 lists that are not read, 50,000 orders',
    method: 'beside',
    attack: 'unreadLists',
    unit: 'of the responses without them',
    orders: 50_000,
    entries,
    targets: [{ atLeast: 0.95 }, { of: [unlimited.name] }],
  },
  {
    name: 'second-wave',
    title: '96 clients after the start, and after a pause of 4 s, 20,000 orders: rejections while none takes long',
    method: 'waves',
    clients: 96,
    unit: 'rejections',
    orders: 20_000,
    entries,
    targets: [{ atMost: 0 }],
  },
  {
    name: 'first-wave',
    title: '32 clients after the start, and after a pause of 4 s, 100,000 orders: rejections while none takes long',
    method: 'waves',
    clients: 32,
    unit: 'rejections',
    orders: 100_000,
    entries,
    targets: [{ atMost: 0 }],
  },
]

export const overloadRows = [...openLoads, ...attacks]
