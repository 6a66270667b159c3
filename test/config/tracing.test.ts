import t from 'tap'
import { loadConfig } from '../../config/environment.ts'

const collector = 'http://127.0.0.1:4318'
const on = { OTEL_EXPORTER_OTLP_ENDPOINT: collector }
const defaults = {
  url: `${collector}/v1/traces`,
  sampler: 'parentbased_always_on',
  ratio: 1,
  exportEvery: 5000,
  proxyEnv: undefined,
}

function load(env: Record<string, string>) {
  const { tracing, warnings } = loadConfig(env)
  return { tracing, warnings }
}

t.test('traces are on if a collector is set or named as the exporter, unless they are turned off', async (t) => {
  const at = (url: string) => ({ tracing: { ...defaults, url }, warnings: [] })
  const off = { tracing: undefined, warnings: [] }
  for (const [env, expected] of [
    [on, at(`${collector}/v1/traces`)],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.test/otlp/' }, at('https://c.test/otlp/v1/traces')],
    [{ ...on, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c.test/a' }, at('http://c.test/a')],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, at('http://localhost:4318/v1/traces')],
    [{ ...on, OTEL_TRACES_EXPORTER: 'none' }, off],
    [{ ...on, OTEL_SDK_DISABLED: 'TRUE' }, off],
    [{ ...on, OTEL_SDK_DISABLED: 'False' }, at(`${collector}/v1/traces`)],
  ] as const)
    t.strictSame(load(env), expected, JSON.stringify(env))
})

t.test('upper and lower case are the same', async (t) => {
  const env = { ...on, OTEL_TRACES_SAMPLER: 'Always_On', OTEL_EXPORTER_OTLP_PROTOCOL: 'HTTP/JSON' }
  const { tracing, warnings } = load(env)
  t.strictSame([tracing?.sampler, warnings], ['always_on', []])
})

t.test('an invalid value is ignored, with a warning', async (t) => {
  for (const [name, value, tracing, warning] of [
    ['OTEL_SDK_DISABLED', '1', defaults, / must be true or false, not "1"; it is ignored$/],
    ['OTEL_TRACES_SAMPLER', 'xray', defaults, / must be one of always_on, .*, not "xray"; it is ignored$/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', defaults, / must be a number from 0 to 1, /],
    ['OTEL_BSP_SCHEDULE_DELAY', '5s', defaults, / must be a whole number /],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', defaults, /: grpc is not supported; /],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'udp', defaults, / must be one of /],
    ['OTEL_TRACES_EXPORTER', 'otlp, console', defaults, /: console is not supported; /],
    ['OTEL_TRACES_EXPORTER', 'zipkin', undefined, /: zipkin is not supported; /],
    ['OTEL_TRACES_EXPORTER', 'otpl', defaults, / must be otlp or none, not "otpl"; /],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'localhost:4317', defaults, / must be /],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://c.test', undefined, / must be an http or /],
  ] as const) {
    const found = load({ ...on, [name]: value })
    t.strictSame(found.tracing, tracing, `${name}=${value}`)
    t.match(found.warnings, [new RegExp(`^${name}${warning.source}`)])
  }
  for (const text of ['0', '1', '.5', '0.25', '1.0'])
    t.equal(load({ ...on, OTEL_TRACES_SAMPLER_ARG: text }).tracing?.ratio, Number(text))
  t.equal(load({ ...on, OTEL_BSP_SCHEDULE_DELAY: '250' }).tracing?.exportEvery, 250, 'a valid one is not')
})

t.test('while traces are off, nothing else is read', async (t) => {
  const unknown = { OTEL_TRACES_SAMPLER: 'xray', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_BSP_SCHEDULE_DELAY: 'x' }
  for (const env of [{}, { ...on, OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'x' }])
    t.strictSame(load({ ...env, ...unknown }), { tracing: undefined, warnings: [] })
})
