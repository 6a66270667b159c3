// The import rules. Each key is a part: a folder or a file. `knows` lists the parts that it may import from besides
// itself, `uses` the packages. Everything else is forbidden, type imports included.

/** @type {Record<string, { knows?: string[], uses?: string[] }>} */
const rooms = {
  // The process
  'server.ts': {
    knows: [
      'app.ts',
      'config/environment.ts',
      'config/keys/notices.ts',
      'config/keys/open.ts',
      'domains/index.ts',
      'http/server.ts',
      'spec/document.ts',
      'store/order-store.ts',
      'store/file/progress.ts',
      'store/memory/',
      'store/postgres/open.ts',
      'telemetry/index.ts',
    ],
    uses: ['node:', 'close-with-grace', 'fastify'],
  },
  'app.ts': {
    knows: [
      'domains/index.ts',
      'handlers/index.ts',
      'handlers/types.ts',
      'plugins/*.ts',
      'plugins/*/index.ts',
      'site/index.ts',
      'spec/document.ts',
      'telemetry/index.ts',
    ],
    uses: ['node:http', 'fastify'],
  },
  'cli/': {
    knows: [
      'client/',
      'config/',
      'domains/cli/index.ts',
      'server.ts',
      'spec/document.ts',
      'store/file/progress.ts',
      'store/postgres/',
    ],
    uses: ['node:', '@modelcontextprotocol/server', 'zod'],
  },
  'config/': { knows: ['spec/document.ts', 'store/postgres/connection-string.ts'], uses: ['node:'] },

  // The API
  'spec/': { uses: ['node:', 'openapi-types', 'yaml'] },
  'spec/scripts/': { uses: ['node:', 'openapi-typescript', 'typescript', 'yaml'] },
  'handlers/*.ts': { knows: ['spec/errors.ts', 'handlers/types.ts', 'store/page.ts'] },
  'handlers/index.ts': { knows: ['handlers/*.ts'] },
  'handlers/types.ts': {
    knows: ['spec/openapi.d.ts', 'spec/operation-types.ts', 'store/order-store.ts', 'store/page.ts'],
  },
  'plugins/*.ts': {
    knows: ['plugins/<name>/', 'http/', 'spec/', 'store/page.ts', 'store/unavailable.ts'],
    uses: ['node:', 'fastify', 'fastify-plugin', '@fastify/', 'ipaddr.js', 'yaml'],
  },
  'plugins/*/': {
    knows: ['http/', 'spec/', 'store/channels.ts', 'store/page.ts'],
    uses: ['node:', 'fastify', 'fastify-plugin'],
  },
  'plugins/contract/': {
    knows: ['http/headers.ts', 'http/methods.ts', 'spec/', 'store/page.ts'],
    uses: ['fastify', 'fastify-plugin', 'fastify-openapi-glue', '@seriousme/', 'ajv', 'ajv-formats', 'lossless-json'],
  },
  'http/': { uses: ['node:', 'negotiator'] },

  // The orders
  'store/order-store.ts': { knows: ['store/page.ts'] },
  'store/page.ts': {},
  'store/unavailable.ts': {},
  'store/channels.ts': { uses: ['node:'] },
  'store/file/': { knows: ['store/order-store.ts'], uses: ['node:'] },
  'store/memory/': {
    knows: ['store/channels.ts', 'store/file/', 'store/order-store.ts', 'store/page.ts'],
    uses: ['node:'],
  },
  'store/postgres/': {
    knows: ['store/channels.ts', 'store/file/', 'store/order-store.ts', 'store/page.ts', 'store/unavailable.ts'],
    uses: ['node:', 'pg', 'pg-copy-streams', 'pgpass'],
  },

  // The documentation
  'site/': {
    knows: ['http/', 'spec/code-samples.ts', 'spec/document.ts', 'spec/errors.ts'],
    uses: ['node:', 'fastify', 'fastify-plugin', '@fastify/', 'yaml'],
  },
  'site/reference/': { knows: ['spec/document.ts'], uses: ['node:http', 'marked'] },
  'site/static/': { knows: ['http/', 'spec/errors.ts'], uses: ['node:', 'fastify'] },
  'site/browser/': { uses: ['minisearch'] },
  'site/browser/shared/': {},

  // Logs, metrics and traces
  'telemetry/': {
    knows: ['http/', 'store/channels.ts', 'store/order-store.ts', 'store/page.ts'],
    uses: ['node:', 'fastify', '@opentelemetry/', 'pino', 'pino-pretty', 'prom-client'],
  },

  // Custom domains
  'domains/index.ts': {
    knows: ['domains/', 'config/environment.ts', 'plugins/*.ts', 'plugins/contract/index.ts', 'spec/document.ts'],
    uses: ['fastify'],
  },
  'domains/api/': { knows: ['domains/registry.ts', 'spec/errors.ts', 'spec/operation-types.ts'] },
  'domains/dashboard/': { knows: ['site/index.ts'], uses: ['node:', 'fastify', 'fastify-plugin'] },
  'domains/dashboard/browser/': { knows: ['site/browser/shared/', 'domains/api/dashboard.d.ts'] },
  'domains/cli/': {
    knows: [
      'config/environment.ts',
      'domains/api/dashboard.d.ts',
      'domains/move.ts',
      'domains/state/domain.ts',
      'domains/webhook/events.ts',
      'domains/webhook/send.ts',
    ],
    uses: ['node:', 'openapi-fetch'],
  },
  'domains/metrics.ts': { knows: ['telemetry/index.ts'] },
  'domains/publish.ts': { knows: ['domains/'], uses: ['node:events', 'node:http'] },
  'domains/move.ts': { knows: ['domains/', 'store/postgres/connection-string.ts'], uses: ['node:'] },
  'domains/publish-when-ready.ts': { knows: ['domains/', 'store/unavailable.ts'] },
  'domains/time.ts': { uses: ['node:timers/promises'] },
  'domains/registry.ts': { knows: ['domains/registry/', 'domains/state/'] },
  'domains/registry/': {
    knows: [
      'domains/api/dashboard.d.ts',
      'domains/certificates/',
      'domains/dns/',
      'domains/maintenance/',
      'domains/state/',
      'domains/time.ts',
      'domains/view/',
    ],
  },
  'domains/acme/': {
    knows: ['domains/certificates/', 'domains/time.ts'],
    uses: ['node:'],
  },
  'domains/certificates/': { knows: ['domains/state/'], uses: ['node:'] },
  'domains/dns/': {
    knows: ['domains/state/', 'domains/time.ts'],
    uses: ['node:', 'dns-packet', 'ipaddr.js', 'tldts'],
  },
  'domains/files/': { knows: ['config/keys/sync-folder.ts', 'domains/state/'], uses: ['node:'] },
  'domains/maintenance/': {
    knows: ['domains/certificates/', 'domains/dns/', 'domains/state/', 'domains/time.ts'],
    uses: ['node:'],
  },
  'domains/ports/': {
    knows: ['domains/certificates/', 'domains/state/', 'http/', 'spec/errors.ts'],
    uses: ['node:', 'fastify', 'fastify-plugin'],
  },
  'domains/postgres/': {
    knows: [
      'domains/state/',
      'store/postgres/admin.ts',
      'store/postgres/connection-string.ts',
      'store/postgres/faults.ts',
      'store/postgres/outage.ts',
      'store/postgres/schema.ts',
      'store/postgres/sessions.ts',
    ],
    uses: ['node:', 'pg'],
  },
  'domains/state/': { uses: ['node:url'] },
  'domains/view/': {
    knows: ['domains/api/dashboard.d.ts', 'domains/dns/', 'domains/maintenance/', 'domains/state/'],
  },
  'domains/webhook/': {
    knows: ['domains/maintenance/', 'domains/state/', 'domains/view/', 'domains/time.ts'],
    uses: ['node:'],
  },

  // Run by others
  'client/': { knows: ['spec/openapi.d.ts'], uses: ['lossless-json'] },

  'docs/': { uses: ['node:'] },
  'deploy/': { uses: ['node:'] },
}

/** A part's path as a regular expression; `*` is a name. If several parts contain a file, the narrowest applies. */
const pathOf = (/** @type {string} */ room) =>
  `^${room.replaceAll('.', '\\.').replaceAll('*', '([^/.]+)').replace('<name>', '$1')}${room.endsWith('/') ? '' : '$'}`
const names = Object.keys(rooms)
const isWithin = (/** @type {string} */ room, /** @type {string} */ other) =>
  room !== other && new RegExp(pathOf(other)).test(room.replaceAll('*', 'x'))

const walls = names.flatMap((room) => {
  const { knows = [], uses = [] } = rooms[room] ?? {}
  const from = { path: pathOf(room), pathNot: names.filter((other) => isWithin(other, room)).map(pathOf) }
  const own = room.endsWith('/') ? [pathOf(room.replace('*', '<name>'))] : []
  const packages = uses.map((name) =>
    name.startsWith('node:') ? `^${name.slice(5)}$` : `node_modules/(@types/)?${name}${name.endsWith('/') ? '' : '/'}`,
  )
  return [
    {
      name: `${room} knows only ${knows.join(', ') || 'itself'}`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['local'], pathNot: [...own, ...knows.map(pathOf)] },
    },
    {
      name: `${room} uses only ${uses.join(', ') || 'no package'}`,
      severity: 'error',
      from,
      to: { dependencyTypesNot: ['local', ...(uses.includes('node:') ? ['core'] : [])], pathNot: packages },
    },
  ]
})

export default {
  forbidden: [
    ...walls,
    { name: 'no circular imports', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every file belongs to a part',
      severity: 'error',
      from: { pathNot: [...names.map(pathOf), '^(test|bench)/', 'node_modules'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(dist|client/dist|data|reports|screenshots|\\.tap|test/runners/\\.cache|bench/node_modules)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
