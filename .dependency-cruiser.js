// The import rules. Each key is a part: a folder or a file. `imports` lists the parts that it may import from
// besides itself, `packages` the packages, of those of this project their doors. Everything else is forbidden, type imports
// included.
import { sources } from './deploy/workspaces.js'

/** @type {Record<string, { imports?: string[], packages?: string[] }>} */
const parts = {
  // The process
  'server.ts': {
    imports: [
      'app.ts',
      'config/clock.ts',
      'config/commit.ts',
      'config/early-log.ts',
      'config/environment.ts',
      'config/keys/expired.ts',
      'config/keys/notices.ts',
      'config/keys/open.ts',
      'domains/index.ts',
      'spec/document.ts',
      'signals.ts',
      'store/order-store.ts',
      'store/file/progress.ts',
      'store/memory/',
      'store/postgres/open.ts',
      'telemetry/index.ts',
    ],
    packages: ['node:', 'close-with-grace', 'fastify', 'http-edge', 'exact-openapi'],
  },
  'signals.ts': { packages: ['node:'] },
  'app.ts': {
    imports: [
      'domains/index.ts',
      'handlers/index.ts',
      'handlers/types.ts',
      'plugins/*.ts',
      'plugins/*/index.ts',
      'spec/document.ts',
      'telemetry/index.ts',
    ],
    packages: ['fastify', 'fastify-openapi-glue', 'http-edge', 'exact-openapi', 'openapi-pages'],
  },
  'cli/': {
    imports: [
      'config/',
      'domains/check.ts',
      'domains/cli/index.ts',
      'packages/client/',
      'server.ts',
      'signals.ts',
      'spec/document.ts',
      'store/file/progress.ts',
      'store/memory/',
      'store/postgres/',
    ],
    packages: ['node:', '@modelcontextprotocol/server', 'commander', 'zod', 'exact-openapi'],
  },
  'config/': {
    imports: ['spec/document.ts', 'store/postgres/connection-string.ts', 'telemetry/index.ts'],
    packages: ['node:', 'http-edge', 'custom-domains'],
  },

  // The API
  'spec/': {
    packages: ['node:', 'yaml', 'exact-openapi', 'http-edge'],
  },
  'spec/scripts/': {
    imports: ['spec/document.ts'],
    packages: ['node:', 'openapi-typescript', 'typescript', 'yaml', 'exact-openapi'],
  },
  'handlers/*.ts': { imports: ['spec/errors.ts', 'handlers/types.ts', 'store/page.ts'] },
  'handlers/index.ts': { imports: ['handlers/*.ts'] },
  'handlers/types.ts': {
    imports: ['spec/openapi.d.ts', 'store/order-store.ts', 'store/page.ts'],
    packages: ['exact-openapi'],
  },
  'plugins/*.ts': {
    imports: ['plugins/*.ts', 'spec/', 'store/unavailable.ts'],
    packages: ['node:', 'fastify', 'fastify-plugin', '@fastify/', 'http-edge', 'exact-openapi'],
  },
  'plugins/*/': {
    imports: ['spec/', 'store/channels.ts', 'store/page.ts'],
    packages: ['node:', 'fastify', 'http-edge', 'exact-openapi'],
  },

  // The orders
  'store/order-store.ts': { imports: ['store/page.ts'] },
  'store/page.ts': { packages: ['node:'] },
  'store/json-page.ts': { imports: ['store/channels.ts', 'store/page.ts'] },
  'store/slices.ts': { packages: ['node:'] },
  'store/unavailable.ts': {},
  'store/channels.ts': { packages: ['node:'] },
  'store/file/': { imports: ['store/order-store.ts'], packages: ['node:'] },
  'store/memory/': {
    imports: ['store/file/', 'store/json-page.ts', 'store/order-store.ts', 'store/page.ts', 'store/slices.ts'],
  },
  'store/postgres/': {
    imports: [
      'store/channels.ts',
      'store/file/',
      'store/json-page.ts',
      'store/order-store.ts',
      'store/page.ts',
      'store/slices.ts',
      'store/unavailable.ts',
    ],
    packages: ['node:', 'pg', 'pg-copy-streams', 'pgpass'],
  },

  // Logs, metrics and traces
  'telemetry/': {
    imports: ['spec/openapi.d.ts', 'store/channels.ts', 'store/order-store.ts', 'store/page.ts'],
    packages: ['node:', 'fastify', '@opentelemetry/', 'pino-pretty', 'prom-client', 'http-edge'],
  },

  // This project's use of the engine of custom domains
  'domains/index.ts': {
    imports: ['domains/', 'config/environment.ts', 'plugins/*.ts', 'spec/document.ts', 'spec/errors.ts'],
    packages: ['fastify', 'custom-domains', 'http-edge', 'exact-openapi'],
  },
  'domains/is-docs-deployed.ts': { packages: ['node:'] },
  'domains/api/': { imports: ['spec/errors.ts'], packages: ['custom-domains', 'exact-openapi'] },
  'domains/dashboard/': { packages: ['node:', 'fastify', 'fastify-plugin', 'openapi-pages'] },
  'domains/dashboard/browser/': { imports: ['packages/openapi-pages/browser/shared/', 'domains/api/dashboard.d.ts'] },
  'domains/cli/': {
    imports: ['config/environment.ts', 'domains/api/dashboard.d.ts', 'domains/postgres/import.ts'],
    packages: ['node:', 'commander', 'openapi-fetch', 'custom-domains'],
  },
  'domains/check.ts': {
    imports: ['config/environment.ts', 'domains/postgres/', 'store/postgres/'],
    packages: ['node:', 'custom-domains'],
  },
  'domains/metrics.ts': { imports: ['telemetry/index.ts'] },
  'domains/port-filter.ts': { imports: ['spec/errors.ts'], packages: ['node:', 'fastify', 'fastify-plugin'] },
  'domains/postgres/': {
    imports: [
      'store/postgres/admin.ts',
      'store/postgres/client-config.ts',
      'store/postgres/connection-string.ts',
      'store/postgres/faults.ts',
      'store/postgres/outage.ts',
      'store/postgres/schema.ts',
      'store/postgres/sessions.ts',
      'store/unavailable.ts',
    ],
    packages: ['node:', 'pg', 'custom-domains'],
  },

  // Run by others
  'packages/client/': { imports: ['spec/openapi.d.ts'], packages: ['lossless-json'] },

  'scripts/': {
    imports: ['packages/custom-domains/src/problems/index.ts', 'spec/scripts/'],
    packages: ['node:', 'dependency-cruiser'],
  },
  'deploy/': { packages: ['node:', 'ts-blank-space'] },

  // One response for each request, in order, within limits: for any server, and for Fastify.
  'packages/http-edge/src/': { packages: ['node:', '@fastify/proxy-addr', 'ipaddr.js', 'negotiator'] },
  'packages/http-edge/src/fastify/': {
    imports: ['packages/http-edge/src/'],
    packages: ['node:', '@fastify/cors', 'fastify', 'fastify-plugin'],
  },

  // A strict, exact contract for Fastify.
  ...within('packages/exact-openapi/src/', {
    'index.ts': { imports: ['*/', 'load.ts', 'openapi-schema.ts', 'operation-types.ts', 'prepared.ts'] },
    'bin.ts': { imports: ['cli.ts'], packages: ['node:'] },
    'cli.ts': { imports: ['contract/', 'load.ts', 'mock-server.ts', 'model/', 'types/'], packages: ['node:'] },
    'mock-server.ts': { imports: ['contract/', 'load.ts', 'model/'], packages: ['node:', 'fastify'] },
    'load.ts': { imports: ['model/', 'prepared.ts'], packages: ['node:', 'lossless-json', 'yaml'] },
    'prepared.ts': { packages: ['node:'] },
    'openapi-schema.ts': { imports: ['prepared.ts'], packages: ['node:', '@seriousme/', 'ajv'] },
    'operation-types.ts': { packages: ['fastify'] },
    'model/': { imports: ['openapi-schema.ts'], packages: ['openapi-types', 'ajv', 'lossless-json'] },
    'contract/': {
      imports: ['examples/', 'model/'],
      packages: ['node:stream', 'fastify', 'ajv', 'ajv-formats', 'lossless-json'],
    },
    'examples/': { imports: ['model/'] },
    'types/': { imports: ['model/'], packages: ['openapi-typescript', 'typescript'] },
  }),

  // The reference of any document.
  ...within('packages/openapi-pages/', {
    'src/': {
      packages: [
        'node:',
        'exact-openapi',
        'http-edge',
        'fastify',
        'fastify-plugin',
        '@fastify/',
        'lossless-json',
        'yaml',
        'openapi-types',
      ],
    },
    'src/reference/': {
      imports: ['src/example-value.ts', 'src/extensions.ts', 'src/server.ts'],
      packages: ['node:http', 'exact-openapi', 'lossless-json', 'marked'],
    },
    'src/static/': { packages: ['node:', 'http-edge', 'fastify'] },
    'browser/': { packages: ['minisearch'] },
    'browser/shared/': {},
  }),

  // The engine of custom domains. It has a door, and imports nothing of the project but http-edge.
  ...within('packages/custom-domains/src/', {
    'index.ts': { imports: ['*/', 'custom-domains.ts', 'domain-error.ts', 'domain-name.ts'] },
    'custom-domains.ts': {
      imports: ['*/', 'domain-error.ts'],
      packages: ['node:events', 'node:http', 'http-edge'],
    },
    'domain-error.ts': { imports: ['registry/'] },
    'publish/': {
      imports: ['*/', 'outgoing.ts', 'time.ts'],
      packages: ['node:events', 'node:http', 'http-edge'],
    },
    'outgoing.ts': {
      packages: ['node:events', 'node:http', 'node:https', 'http-edge'],
    },
    'time.ts': { packages: ['node:timers/promises'] },
    'testing/': { imports: ['state/'], packages: ['node:assert/strict'] },
    'registry/': { imports: ['certificates/', 'dns/', 'domain-name.ts', 'maintenance/', 'state/', 'time.ts', 'view/'] },
    'acme/': { imports: ['certificates/', 'outgoing.ts', 'state/', 'time.ts'], packages: ['node:'] },
    'certificates/': { imports: ['state/'], packages: ['node:'] },
    'dns/': {
      imports: ['domain-name.ts', 'problems/', 'state/', 'time.ts'],
      packages: ['node:', 'dns-packet', 'ipaddr.js', 'tldts'],
    },
    'files/': { imports: ['certificates/', 'state/'], packages: ['node:'] },
    'maintenance/': {
      imports: ['certificates/', 'dns/', 'domain-name.ts', 'problems/', 'state/', 'time.ts'],
      packages: ['node:'],
    },
    'ports/': { imports: ['certificates/', 'state/'], packages: ['node:', 'http-edge'] },
    'domain-name.ts': { packages: ['node:url'] },
    'problems/': { imports: ['domain-name.ts'] },
    'state/': { imports: ['domain-name.ts', 'problems/'] },
    'view/': { imports: ['dns/', 'maintenance/', 'problems/', 'state/'] },
    'webhook/': {
      imports: ['maintenance/', 'outgoing.ts', 'problems/', 'state/', 'view/', 'time.ts'],
      packages: ['node:'],
    },
  }),
}

/**
 * @param {string} folder
 * @param {Record<string, { imports?: string[], packages?: string[] }>} inner its parts, named by their paths in it
 */
function within(folder, inner) {
  const whole = (/** @type {string} */ path) => (path.startsWith('/') ? path.slice(1) : `${folder}${path}`)
  return Object.fromEntries(
    Object.entries(inner).map(([part, { imports = [], packages = [] }]) => [
      whole(part),
      { imports: imports.map(whole), packages },
    ]),
  )
}

/** A part's path as a regular expression; `*` is a name. If several parts contain a file, the narrowest applies. */
const pathOf = (/** @type {string} */ part) =>
  `^${part.replaceAll('.', '\\.').replaceAll('*', '([^/.]+)').replace('<name>', '$1')}${part.endsWith('/') ? '' : '$'}`
const tests = '^(test|packages/[^/]+/test)/'
const names = Object.keys(parts)
const isWithin = (/** @type {string} */ part, /** @type {string} */ other) =>
  part !== other && new RegExp(pathOf(other)).test(part.replaceAll('*', 'x'))

const rules = names.flatMap((part) => {
  const { imports = [], packages = [] } = parts[part] ?? {}
  const from = { path: pathOf(part), pathNot: [tests, ...names.filter((other) => isWithin(other, part)).map(pathOf)] }
  const own = part.endsWith('/') ? [pathOf(part.replace('*', '<name>'))] : []
  const packagePaths = packages.flatMap((name) => {
    if (name.startsWith('node:')) return `^${name.slice(5)}$`
    const doors = [...sources].flatMap(([door, file]) => (`${door}/`.startsWith(`${name}/`) ? pathOf(file) : []))
    return doors.length > 0 ? doors : `node_modules/(@types/)?${name}${name.endsWith('/') ? '' : '/'}`
  })
  return [
    {
      name: `${part} imports only ${imports.join(', ') || 'itself'}`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['local'], pathNot: [...own, ...imports.map(pathOf), ...packagePaths] },
    },
    {
      name: `${part} uses only ${packages.join(', ') || 'no package'}`,
      severity: 'error',
      from,
      to: {
        dependencyTypesNot: ['local', ...(packages.includes('node:') ? ['core'] : [])],
        pathNot: [...packagePaths, '/dist/'], // unknown until the first build
      },
    },
  ]
})

export default {
  forbidden: [
    ...rules,
    {
      name: 'only the model looks into a document',
      severity: 'error',
      from: { pathNot: '^packages/exact-openapi/src/model/' },
      to: { path: '^packages/exact-openapi/src/model/(?!index\\.ts$)' },
    },
    { name: 'no circular imports', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every file belongs to a part',
      severity: 'error',
      from: { pathNot: [...names.map(pathOf), tests, '^bench/', '^\\.dependency-cruiser\\.js$', 'node_modules'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(\\.\\./)?(dist|packages/[^/]+/dist|data|reports|screenshots|\\.tap|test/runners/\\.cache|bench/node_modules)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['store-orders-source', 'import', 'types', 'node', 'default'],
    },
  },
}
