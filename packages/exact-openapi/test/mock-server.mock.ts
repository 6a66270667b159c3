import * as fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { until } from 'test-kit/until'

t.test('a mock listens at port 4010 unless another is given', async (t) => {
  const mockServer = async (_file: URL, port: number) => `port ${port}`
  const { main } = await t.mockImport<typeof import('../src/cli.ts')>('../src/cli.ts', {
    '../src/mock-server.ts': { mockServer },
  })
  const printed: string[] = []
  for (const args of [[], ['0']]) await main(['mock', 'api.yaml', ...args], (text) => printed.push(text))
  t.strictSame(printed, ['port 4010\n', 'port 0\n'])
})

t.test('a change that is reported several times is read once', async (t) => {
  const document = { openapi: '3.0.3', info: { title: 'a', version: '1' }, paths: {} }
  const file = pathToFileURL(`${t.testdir({ 'api.json': JSON.stringify(document) })}/api.json`)
  const changed = 'The document has changed.\n'
  let change = (_name = 'api.json') => {}
  const end = new AbortController()
  const watch = (_folder: URL, options: object, listener: (type: string, name: string) => void) => {
    t.strictSame(options, { persistent: false, signal: end.signal }, 'the watcher ends with the server')
    change = (name = 'api.json') => listener('change', name)
  }
  const { mockServer } = await t.mockImport<typeof import('../src/mock-server.ts')>('../src/mock-server.ts', {
    'node:fs': { ...fs, watch },
  })
  t.teardown(() => end.abort())
  const printed: string[] = []
  await mockServer(file, 0, (text) => printed.push(text), end.signal)
  const timers = t.capture(globalThis, 'setTimeout', setTimeout)
  change('other.json')
  for (let reports = 0; reports < 3; reports++) change()
  const delays = timers.args().map(([, ms]) => ms)
  t.strictSame(delays, [50, 50, 50], 'of this file alone')
  await until(() => printed.length > 0)
  fs.writeFileSync(file, 'neither JSON nor YAML: [')
  change()
  await until(() => printed.some((text) => text !== changed))
  t.equal(printed.filter((text) => text === changed).length, 1)
})
