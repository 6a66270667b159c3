// The dashboard and the alert rules: the server exposes the metrics and labels of every query.
import { readFile } from 'node:fs/promises'
import { createConnectionLimits } from 'http-edge'
import t from 'tap'
import { parse } from 'yaml'
import { digestOf } from '../../../config/keys/key.ts'
import { keySet, mergeKeys } from '../../../config/keys/key-set.ts'
import { registerDomainMetrics } from '../../../domains/metrics.ts'
import { authorization, build } from '../../fixtures/app.ts'
import { insertOrders, migratedDatabase, storeAt } from '../../postgres/orders.ts'
import { metricsOf, scrape } from './scrape.ts'

interface Panel {
  title: string
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>
  targets: { expr: string; legendFormat: string }[]
}
interface Rule {
  alert?: string
  record?: string
  expr: string
  annotations?: Record<string, string>
}

const { panels }: { panels: Panel[] } = JSON.parse(await readFile('deploy/grafana.json', 'utf8'))
const { groups }: { groups: { rules: Rule[] }[] } = parse(await readFile('deploy/alerts.yaml', 'utf8'))
const rules = groups.flatMap((group) => group.rules)
/** Added to each series by Prometheus. */
const added = ['job', 'instance']

const queries = [
  ...panels.flatMap(({ title: where, targets }) =>
    targets.map(({ expr, legendFormat: text }) => ({ where, expr, text })),
  ),
  ...rules.map(({ alert, record, expr, annotations = {} }) => {
    return { where: String(alert ?? record), expr, text: Object.values(annotations).join() }
  }),
]

/** The labels of every metric of a server with PostgreSQL and custom domains. */
async function exposed(t: Parameters<typeof migratedDatabase>[0]) {
  const db = await migratedDatabase(t)
  await insertOrders(db, [{ id: 1n, status: 'pending' }])
  const expiring = keySet(mergeKeys({ values: [], variable: '' }, `a sha256:${digestOf('a')} expires=2999-01-01`))
  const metrics = metricsOf({ keys: Object.assign(expiring, { lastReadAt: Date.now() }) })
  metrics.watchConnections(createConnectionLimits())
  metrics.watchSpans(() => 0)
  metrics.watchStalls(() => 0)
  const orders = storeAt(t, db.url)
  metrics.watchStore(orders)
  const certificate = { domain: 'orders.test', notAfter: new Date(Date.now() + 864e5).toISOString() }
  registerDomainMetrics(metrics, {
    certificates: () => [certificate],
    damaged: () => [],
    webhook: { waiting: () => 1, counts: () => ({ delivered: 1, failed: 0, dropped: 0 }) },
  })
  const app = await build(t, { observers: [metrics.requests], orders })
  await app.inject({ url: '/v1/store/orders', headers: { authorization } })
  const labels = new Map<string, Set<string>>()
  for (const series of (await (await scrape(t, metrics))()).keys()) {
    const [name = '', rest = ''] = series.split(/\{(.*)\}/s)
    const known = labels.get(name) ?? new Set(added)
    for (const [, label = ''] of rest.matchAll(/(\w+)="/g)) known.add(label)
    labels.set(name, known)
  }
  return labels
}

/** The metrics of a query, each with the labels that it selects or groups by. */
function used(query: string): { metric: string; labels: string[] }[] {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/, */))
  const plain = query.replace(/\bby \([^)]*\)/g, '')
  return [...plain.matchAll(/([a-z_][\w:]*)\{([^}]*)\}/g)].map(([, metric = '', selectors = '']) => ({
    metric,
    labels: [...grouped, ...[...selectors.matchAll(/(\w+) *[=!]/g)].map(([, label = '']) => label)],
  }))
}

t.test('every query uses existing metrics and labels, and every text existing labels', async (t) => {
  const known = await exposed(t)
  t.equal(known.get('store_orders_certificate_days_left')?.has('domain'), true)
  known.set('up', new Set(added)) // Prometheus's own
  for (const { record } of rules) if (record) known.set(record, new Set(added))
  t.ok(queries.length > 20)
  for (const { where, expr, text } of queries) {
    const parts = used(expr)
    t.ok(parts.length > 0, `${where}: ${expr}`)
    for (const { metric, labels } of parts) {
      t.ok(known.has(metric), `${where}: ${metric}`)
      for (const label of labels) t.ok(known.get(metric)?.has(label), `${where}: ${metric} has ${label}`)
    }
    for (const [, label = ''] of text.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)) {
      const isKnown = parts.some(({ metric }) => known.get(metric)?.has(label))
      t.ok(isKnown, `${where}: {{${label}}}`)
    }
  }
})

t.test('every metric of the service has a panel or an alert', async (t) => {
  const known = [...(await exposed(t)).keys()].filter((name) => /^(http_server|store_orders|db_client)_/.test(name))
  const familyOf = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
  const shown = new Set(queries.flatMap(({ expr }) => used(expr)).map(({ metric }) => familyOf(metric)))
  for (const name of known) t.ok(shown.has(familyOf(name)), name)
})

t.test('no two panels overlap', async (t) => {
  for (const [index, { title, gridPos: a }] of panels.entries())
    for (const { title: other, gridPos: b } of panels.slice(index + 1))
      t.ok(a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h, `${title} and ${other}`)
})

t.test('promtool tests each alert', async (t) => {
  const tests = await readFile('test/deploy/alerts.yaml', 'utf8')
  const tested = new Set([...tests.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name))
  const alerts = rules.flatMap(({ alert }) => alert ?? [])
  t.strictSame([...tested], alerts)
})
