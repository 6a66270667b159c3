// Rows on custom domains: what ten thousand of them cost.
import { OURS } from '../servers.js'

const ours = { name: OURS, peer: OURS }
const tenThousand = 10_000

/** @type {import('./index.js').Row[]} */
export const domainRows = [
  {
    name: 'domains-start',
    title: 'CPU time of a start with 10,000 custom domains, above one without',
    method: 'domainsStart',
    unit: 's',
    orders: tenThousand,
    entries: [ours, { ...ours, name: '1,000', orders: 1_000 }],
    targets: [{ atMost: 2 }],
  },
  {
    name: 'domains-memory',
    title: '10,000 custom domains, 100 of them visited: memory above none',
    method: 'domainsMemory',
    unit: 'MB',
    orders: tenThousand,
    entries: [ours],
    targets: [{ atMost: 100 }],
  },
  {
    name: 'domains-idle',
    title: 'An idle server with 10,000 custom domains: CPU time above none',
    method: 'domainsIdle',
    unit: '%',
    orders: tenThousand,
    entries: [ours],
    targets: [{ atMost: 0.5 }],
  },
  {
    name: 'domains-change',
    title: 'Bytes written by another primary domain, of 10,000 custom domains',
    method: 'domainsChange',
    unit: 'kB',
    orders: tenThousand,
    entries: [ours, { ...ours, name: '40', orders: 40 }, { ...ours, name: '1,000', orders: 1_000 }],
    targets: [{ atMost: 8 }],
  },
]
