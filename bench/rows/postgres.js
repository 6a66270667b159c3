// Rows of the store in PostgreSQL.
import { OURS } from '../servers.js'

const ours = { name: OURS, peer: OURS, isDatabase: true }
const named = (name) => ({ name, peer: name })
const million = 1_000_000
const pools = ['16', '32'].map((size) => ({
  ...ours,
  name: `pool of ${size}`,
  env: { DATABASE_POOL_SIZE: size },
}))
const oneByOne = { ...named('one-by-one'), name: 'a statement each' }
const apart = 'two, a database each'
const selectOne = 'SELECT 1, same pool'
const bare = { ...named('select-one'), name: 'node:http with SELECT 1' }

/** A service's own statements, without a server. @type {import('./index.js').Row[]} */
const logRows = /** @type {const} */ ([
  ['one', 'an UPDATE of one order', 1.4],
  ['hundred', 'an UPDATE of 100 random orders', 1.4],
  ['insert', 'an INSERT of 300,000 orders', 1.7],
]).map(([part, title, atMost]) => ({
  name: `postgres-log-${part}`,
  title: `PostgreSQL: ${title}, with the log of changes`,
  method: 'logging',
  part,
  unit: 'ms',
  orders: million,
  entries: [ours, named('without it')],
  targets: [{ of: ['without it'], atMost }],
}))

/** @type {import('./index.js').Row[]} */
export const postgresRows = [
  {
    name: 'postgres-get',
    title: 'PostgreSQL: GET 100,000 orders, unchanged',
    method: 'requests',
    unit: 'requests/s',
    orders: 100_000,
    entries: [ours, { name: 'in memory', peer: OURS }],
    targets: [{ of: ['in memory'], atLeast: 0.8 }],
  },
  {
    name: 'postgres-not-modified',
    title: 'PostgreSQL: GET with If-None-Match, 1,000,000 orders, unchanged',
    method: 'unchanged',
    unit: 'ms',
    orders: million,
    entries: [ours, named(selectOne), named('the store alone')],
    targets: [{ of: [selectOne], atMost: 2 }, { of: ['the store alone'] }],
  },
  {
    name: 'postgres-after-cancel',
    title: 'PostgreSQL: GET after a cancel among 1,000,000 orders',
    method: 'afterCancel',
    unit: 'ms',
    orders: million,
    entries: [ours, named(selectOne), named('the store alone'), bare],
    targets: [{ of: [selectOne], atMost: 12 }, { of: ['the store alone'] }, { of: [bare.name] }],
  },
  {
    name: 'postgres-after-ships',
    title: 'PostgreSQL: GET after 100 random orders were shipped in a transaction, among 1,000,000',
    method: 'afterShips',
    unit: 'ms',
    orders: million,
    entries: [ours, named('after a cancel')],
    targets: [{ of: ['after a cancel'], atMost: 2 }],
  },
  {
    name: 'postgres-after-all',
    title: 'PostgreSQL: GET after an UPDATE of all 1,000,000 orders',
    method: 'afterAll',
    unit: 's',
    orders: million,
    needs: ['psql'],
    entries: [ours, named('psql COPY')],
    targets: [{ of: ['psql COPY'], atMost: 1.3 }],
  },
  ...logRows,
  {
    name: 'postgres-first',
    title: 'PostgreSQL: first GET of 1,000,000 orders',
    method: 'firstList',
    unit: 's',
    orders: million,
    needs: ['psql'],
    entries: [ours, named('psql COPY'), named('psql COPY, a row a page')],
    targets: [{ of: ['psql COPY'], atMost: 1.3 }, { of: ['psql COPY, a row a page'] }],
  },
  {
    name: 'postgres-resident',
    title: 'PostgreSQL: resident memory after the first GET of 1,000,000 orders',
    method: 'listedMemory',
    unit: 'MB',
    orders: million,
    entries: [ours],
    targets: [{ atMost: 350 }],
  },
  {
    name: 'postgres-delete',
    title: 'PostgreSQL: DELETE, 32 connections, 1,000,000 orders',
    method: 'databaseCancels',
    unit: 'requests/s',
    orders: million,
    needs: ['pgbench'],
    entries: [ours, ...pools, oneByOne, named('pgbench')],
    targets: [
      { of: ['pgbench'], atLeast: 0.9 },
      { of: [oneByOne.name], isCpu: true, atMost: 0.35 },
    ],
  },
  {
    name: 'postgres-delete-one',
    title: 'PostgreSQL: DELETE, one connection, 1,000,000 orders',
    method: 'databaseCancels',
    unit: 'requests/s',
    orders: million,
    entries: [ours, oneByOne].map((entry) => ({ ...entry, connections: 1 })),
    targets: [{ of: [oneByOne.name], isCpu: true, atMost: 1.05 }, { of: [oneByOne.name] }],
  },
  {
    name: 'postgres-import',
    title: 'PostgreSQL: import of 1,000,000 orders',
    method: 'importing',
    unit: 's',
    orders: million,
    needs: ['psql'],
    entries: [ours, named('\\copy')],
    targets: [{ of: ['\\copy'], atMost: 2 }],
  },
  {
    name: 'postgres-pair',
    title: 'PostgreSQL: GET 1,000 orders behind nginx, CPU a request, two instances',
    method: 'cpu',
    unit: 'µs',
    orders: 1000,
    entries: [{ ...ours, name: 'two instances' }, named('one alone'), named(apart)],
    targets: [{ of: ['one alone'], atMost: 1.05 }, { of: [apart] }],
  },
]
