// The import rules. Each key is a part: a folder or a file. Its words are what it may import besides itself: parts, packages
// of others, and entry points of this project's packages. Everything else is forbidden, type imports included.
import { sources } from './deploy/workspaces.js'

/** @type {Record<string, string>} */
const parts = {
  // The process
  'server.ts': 'serve.ts signals.ts node:',
  'serve.ts': `
    app.ts config/ domains/index.ts early-log.ts next-tick.ts signals.ts spec/document.ts store/*.ts store/file/ store/memory/ store/postgres/
    telemetry/index.ts node: close-with-grace fastify http-edge exact-openapi`,
  'early-log.ts': '',
  'signals.ts': 'node:',
  'next-tick.ts': 'node:',
  'app.ts': `
    domains/index.ts handlers/index.ts handlers/types.ts plugins/*.ts plugins/*/index.ts spec/document.ts spec/errors.ts
    telemetry/index.ts fastify fastify-openapi-glue http-edge exact-openapi openapi-pages`,
  'cli/': `
    config/ domains/check.ts domains/cli/index.ts domains/postgres/ packages/client/ server.ts signals.ts spec/document.ts
    store/file/progress.ts store/memory/ store/postgres/ node: @modelcontextprotocol/server commander zod
    exact-openapi`,
  'config/': 'spec/document.ts store/postgres/connection-string.ts node: http-edge custom-domains',

  // The API
  'spec/': 'node: @seriousme/ ajv yaml exact-openapi http-edge',
  'spec/scripts/': 'packages/client/scripts/ node: yaml exact-openapi',
  'handlers/*.ts': 'spec/errors.ts handlers/types.ts store/order-store.ts store/page.ts',
  'handlers/index.ts': 'handlers/*.ts',
  'handlers/types.ts': 'spec/openapi.d.ts store/order-store.ts store/page.ts exact-openapi',
  'plugins/*.ts': `
    plugins/*.ts config/keys/key-set.ts spec/ store/unavailable.ts node: fastify fastify-plugin @fastify/ http-edge exact-openapi`,
  'plugins/*/': 'spec/ store/channels.ts store/page.ts node: fastify http-edge exact-openapi',

  // The orders
  'store/*.ts': 'store/*.ts node:',
  'store/file/': 'store/*.ts node:',
  'store/memory/': 'store/*.ts store/file/',
  'store/postgres/': 'store/*.ts store/file/ node: pg pg-copy-streams pgpass',

  // Logs, metrics and traces
  'telemetry/':
    'config/keys/key-set.ts spec/openapi.d.ts store/*.ts node: fastify @opentelemetry/ pino-pretty prom-client http-edge custom-domains',

  // This project's use of the engine of custom domains
  'domains/index.ts': `
    domains/ config/environment.ts plugins/*.ts spec/document.ts spec/errors.ts node: fastify custom-domains http-edge
    exact-openapi`,
  'domains/is-docs-deployed.ts': 'node:',
  'domains/api/': 'domains/site.ts spec/errors.ts custom-domains exact-openapi',
  'domains/site.ts': 'domains/pair-choices.ts custom-domains',
  'domains/pair-choices.ts': 'domains/api/dashboard.d.ts node:url custom-domains',
  'domains/configuration-file.ts': 'domains/site.ts node: custom-domains',
  'domains/dashboard/': 'node: fastify fastify-plugin openapi-pages',
  'domains/dashboard/browser/': 'packages/openapi-pages/browser/shared/ domains/api/dashboard.d.ts',
  'domains/cli/': `
    config/environment.ts domains/api/dashboard.d.ts domains/postgres/*.ts node: commander openapi-fetch
    custom-domains`,
  'domains/check.ts':
    'config/environment.ts domains/configuration-file.ts domains/postgres/ store/postgres/ node: custom-domains',
  'domains/metrics.ts': 'telemetry/index.ts custom-domains',
  'domains/postgres/': 'store/*.ts store/postgres/ node: pg custom-domains',

  // Run by others
  'packages/client/': 'spec/openapi.d.ts lossless-json',
  'packages/client/scripts/': 'exact-openapi',

  'deploy/': 'node: ts-blank-space',

  // One response for each request, in order, within limits: for any server, and for Fastify.
  'packages/http-edge/src/': 'node: @fastify/proxy-addr ipaddr.js negotiator',
  'packages/http-edge/src/fastify/': 'packages/http-edge/src/ node: @fastify/cors fastify fastify-plugin',

  // A strict, exact contract for Fastify.
  ...within('packages/exact-openapi/src/', {
    'index.ts': '*/ load.ts operation-types.ts',
    'bin.ts': 'cli.ts node:',
    'cli.ts': 'contract/ load.ts mock-server.ts model/ types/ node:',
    'mock-server.ts': 'contract/ examples/ load.ts model/ node: fastify',
    'load.ts': 'model/ node: lossless-json yaml',
    'openapi-schema.ts': '@seriousme/ ajv',
    'operation-types.ts': 'node: fastify',
    'media-types.ts': '',
    'model.ts': 'model/',
    'model/': 'media-types.ts openapi-schema.ts openapi-types ajv lossless-json',
    'contract/':
      'media-types.ts model/ operation-types.ts node:stream @fastify/busboy fastify ajv ajv-formats lossless-json',
    'examples/': 'media-types.ts model/ contract/ fastify ajv-formats lossless-json',
    'types/': 'model/ openapi-typescript typescript',
  }),

  // The reference of any document.
  ...within('packages/openapi-pages/', {
    'src/': 'browser/ node: exact-openapi http-edge fastify fastify-plugin @fastify/ lossless-json yaml openapi-types',
    'src/reference/': `
      browser/ src/credentials.ts src/example-request.ts src/extensions.ts src/server.ts src/static/memoize.ts
      node:http exact-openapi lossless-json marked`,
    'src/static/': 'node: http-edge fastify',
    'browser/': 'minisearch',
    'browser/shared/': '',
  }),

  'packages/custom-domains/examples/': 'node: custom-domains exact-openapi fastify openapi-pages pg',

  // The engine of custom domains. It has a door, and imports nothing of the project but http-edge.
  ...within('packages/custom-domains/src/', {
    'index.ts': '*/ custom-domains.ts domain-error.ts domain-name.ts',
    'custom-domains.ts': '*/ domain-error.ts node:events node:http http-edge',
    'runtime/': '*/ outgoing.ts time.ts node:events node:http node:net http-edge',
    'outgoing.ts': 'proxy-agent.ts node:events node:http node:https',
    'proxy-agent.ts': 'node:',
    'time.ts': 'node:timers/promises',
    'testing/': 'state/ node:assert/strict',
    'rehearsal/': 'certificates/ dns/ files/ maintenance/ problems/ state/ time.ts node:timers/promises',
    'registry/': 'certificates/ dns/ domain-error.ts domain-name.ts maintenance/ problems/ state/ time.ts texts/ node:',
    'acme/': 'certificates/ outgoing.ts state/ time.ts node:',
    'certificates/': 'state/ node:',
    'dns/': 'domain-name.ts problems/ state/ time.ts node: dns-packet ipaddr.js tldts',
    'files/': 'certificates/ state/ node:',
    'maintenance/': 'certificates/ dns/ domain-name.ts problems/ state/ time.ts node:',
    'ports/': 'certificates/ state/ node: http-edge',
    'postgres/': 'state/ time.ts node:',
    'domain-error.ts': 'problems/',
    'domain-name.ts': 'node:url',
    'problems/': 'domain-name.ts',
    'state/': 'domain-name.ts problems/',
    'texts/': 'dns/ maintenance/ problems/ state/',
    'webhook/': 'maintenance/ outgoing.ts problems/ state/ texts/ time.ts node:',
  }),
}

/**
 * @param {string} folder
 * @param {Record<string, string>} inner its parts, named by their paths in it
 */
function within(folder, inner) {
  const whole = (/** @type {string} */ word) => (isPart(word) ? folder + word : word)
  return Object.fromEntries(
    Object.entries(inner).map(([part, imports]) => [folder + part, imports.replace(/\S+/g, whole)]),
  )
}

/** @param {string} word */
function isPart(word) {
  return /^[^@].*(\.ts|\/)$/.test(word)
}

/** A part's path as a regular expression; `*` is a name. If several parts contain a file, the narrowest applies. */
const pathOf = (/** @type {string} */ part) =>
  `^${part.replaceAll('.', '\\.').replaceAll('*', '([^/.]+)').replace('<name>', '$1')}${part.endsWith('/') ? '' : '$'}`
const tests = '^(test|packages/[^/]+/test|packages/test-kit)/'
const names = Object.keys(parts)
const isWithin = (/** @type {string} */ part, /** @type {string} */ other) =>
  part !== other && new RegExp(pathOf(other)).test(part.replaceAll('*', 'x'))

const rules = names.map((part) => {
  const imports = String(parts[part]).split(/\s+/).filter(Boolean)
  const from = { path: pathOf(part), pathNot: [tests, ...names.filter((other) => isWithin(other, part)).map(pathOf)] }
  const itself = part.endsWith('/') ? [pathOf(part.replace('*', '<name>'))] : []
  const paths = imports.flatMap((name) => {
    if (name.startsWith('node:')) return `^${name.slice(5)}$`
    if (isPart(name)) return pathOf(name)
    const doors = [...sources].flatMap(([door, file]) => (`${door}/`.startsWith(`${name}/`) ? pathOf(file) : []))
    return doors.length > 0 ? doors : `node_modules/(@types/)?${name}${name.endsWith('/') ? '' : '/'}`
  })
  const to = { pathNot: [...itself, ...paths], ...(imports.includes('node:') && { dependencyTypesNot: ['core'] }) }
  return { name: `${part} imports only ${imports.join(', ') || 'itself'}`, severity: 'error', from, to }
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
