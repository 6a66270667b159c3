// The import rules. Each key is a part: a folder or a file. `knows` lists the parts that it may import from besides
// itself, `uses` the packages. Everything else is forbidden, type imports included.

/** @type {Record<string, { knows?: string[], uses?: string[] }>} */
const rooms = {
  // The process
  'server.ts': {
    knows: [
      'app.ts',
      'config/environment.ts',
      'config/keys/open.ts',
      'log.ts',
      'cli/terminal.ts',
      'spec/document.ts',
      'store/order-store.ts',
      'store/memory/',
      'store/postgres/open.ts',
      'metrics/open.ts',
      'tracing/open.ts',
      'domains/publish.ts',
      'domains/files/',
      'domains/postgres/storage.ts',
      'domains/waiting.ts',
    ],
    uses: ['node:', 'close-with-grace', 'fastify'],
  },
  'cli.ts': { knows: ['server.ts', 'cli/'], uses: ['node:'] },
  'cli/': {
    knows: [
      'client/',
      'config/',
      'domains/move.ts',
      'domains/state/host.ts',
      'domains/webhook/event.ts',
      'domains/webhook/send.ts',
      'mcp/server.ts',
      'spec/dashboard.d.ts',
      'spec/document.ts',
      'store/memory/load.ts',
      'store/postgres/',
    ],
    uses: ['node:', '@modelcontextprotocol/server', 'openapi-fetch'],
  },
  'mcp/': { knows: ['client/'], uses: ['@modelcontextprotocol/server', 'zod'] },
  'config/': { knows: ['spec/document.ts', 'store/postgres/connection-string.ts'], uses: ['node:'] },
  'log.ts': { uses: ['node:', 'fastify', 'pino', 'pino-pretty'] },

  // The API
  'app.ts': {
    knows: [
      'handlers/index.ts',
      'handlers/types.ts',
      'handlers/dashboard/index.ts',
      'handlers/dashboard/types.ts',
      'plugins/*.ts',
      'spec/document.ts',
    ],
    uses: ['node:http', 'fastify'],
  },
  'docs/': { uses: ['node:'] },
  'deploy/': { uses: ['node:'] },
  'spec/': { uses: ['node:', 'openapi-types', 'openapi-typescript', 'typescript', 'yaml'] },
  'handlers/*.ts': { knows: ['spec/errors.ts', 'handlers/types.ts', 'store/page.ts'] },
  'handlers/index.ts': { knows: ['handlers/*.ts'] },
  'handlers/types.ts': { knows: ['spec/openapi.d.ts', 'store/order-store.ts', 'store/page.ts'] },
  'handlers/dashboard/*.ts': {
    knows: ['spec/errors.ts', 'handlers/dashboard/begun.ts', 'handlers/dashboard/types.ts'],
  },
  'handlers/dashboard/index.ts': { knows: ['handlers/dashboard/*.ts'] },
  'handlers/dashboard/types.ts': { knows: ['spec/dashboard.d.ts', 'handlers/types.ts', 'domains/registry.ts'] },
  'plugins/*.ts': {
    knows: ['plugins/<name>/', 'plugins/static/', 'http/', 'spec/', 'store/page.ts', 'store/unavailable.ts'],
    uses: [
      'node:',
      'fastify',
      'fastify-plugin',
      'fastify-openapi-glue',
      '@fastify/',
      '@seriousme/',
      'ajv',
      'ajv-formats',
      'pino',
      'yaml',
    ],
  },
  'plugins/list/': { knows: ['http/', 'store/page.ts'], uses: ['node:', 'fastify'] },
  'plugins/*/': { knows: ['plugins/static/', 'http/', 'spec/'], uses: ['node:', 'fastify'] },
  'plugins/docs.ts': {
    knows: ['plugins/docs/', 'plugins/static/', 'http/negotiate.ts', 'reference/', 'spec/document.ts'],
    uses: ['fastify', 'fastify-plugin', '@fastify/'],
  },
  'plugins/docs/': {
    knows: ['plugins/static/', 'http/', 'reference/', 'spec/'],
    uses: ['fastify', '@fastify/proxy-addr', 'yaml'],
  },
  'reference/': { knows: ['spec/document.ts'], uses: ['node:http', 'marked'] },
  'http/': { uses: ['node:', 'negotiator'] },

  // The orders
  'store/order-store.ts': { knows: ['store/page.ts'] },
  'store/page.ts': {},
  'store/unavailable.ts': {},
  'store/file/': { uses: ['node:'] },
  'store/memory/': { knows: ['store/file/', 'store/order-store.ts', 'store/page.ts'], uses: ['node:'] },

  'store/postgres/': {
    knows: ['store/file/', 'store/order-store.ts', 'store/page.ts', 'store/unavailable.ts'],
    uses: ['node:', 'pg', 'pg-copy-streams', 'pgpass'],
  },

  'metrics/': { knows: ['store/order-store.ts'], uses: ['node:', 'fastify', 'prom-client'] },

  'tracing/': { knows: ['store/page.ts'], uses: ['node:', '@opentelemetry/', 'fastify'] },

  // Custom domains
  'domains/publish.ts': { knows: ['domains/'], uses: ['node:events', 'node:http'] },
  'domains/move.ts': { knows: ['domains/', 'store/postgres/connection-string.ts'], uses: ['node:'] },
  'domains/waiting.ts': { knows: ['domains/', 'store/unavailable.ts'], uses: ['node:timers/promises'] },
  'domains/with-timeout.ts': {},
  'domains/registry.ts': { knows: ['domains/registry/', 'domains/state/'] },
  'domains/registry/': {
    knows: ['domains/certificates/', 'domains/dns/', 'domains/maintenance/', 'domains/state/', 'domains/view/'],
  },
  'domains/acme/': {
    knows: ['domains/certificates/', 'domains/with-timeout.ts', 'http/retry-after.ts'],
    uses: ['node:', 'acme-client'],
  },
  'domains/certificates/': { knows: ['domains/state/'], uses: ['node:'] },
  'domains/dns/': {
    knows: ['domains/state/', 'domains/with-timeout.ts'],
    uses: ['node:', 'dns-packet', 'ipaddr.js', 'tldts'],
  },
  'domains/files/': { knows: ['domains/state/'], uses: ['node:'] },
  'domains/maintenance/': { knows: ['domains/certificates/', 'domains/dns/', 'domains/state/'], uses: ['node:'] },
  'domains/ports/': { knows: ['domains/certificates/', 'domains/state/', 'http/'], uses: ['node:'] },
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
  'domains/view/': { knows: ['domains/dns/', 'domains/maintenance/', 'domains/state/'] },
  'domains/webhook/': {
    knows: [
      'domains/maintenance/',
      'domains/state/',
      'domains/view/',
      'domains/with-timeout.ts',
      'http/retry-after.ts',
    ],
    uses: ['node:'],
  },

  // Run by others
  'client/': { knows: ['spec/openapi.d.ts'], uses: ['lossless-json', 'openapi-fetch'] },
  'browser/shared/': {},
  'browser/docs/': { knows: ['browser/shared/'] },
  'browser/dashboard/': { knows: ['browser/shared/', 'spec/dashboard.d.ts'] },
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
      path: '^(dist|client/dist|data|reports|screenshots|\\.built|\\.tap|test/runners/\\.cache|bench/node_modules)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
