// Whatever the README and the other pages refer to exists, and their examples are correct.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { loadConfig } from '../config/environment.ts'
import { secrets, variables } from '../config/variables/table.ts'
import { page, pages } from './docs/pages.ts'
import { neededEnv } from './domains/environment.js'
import { authorization, build } from './fixtures/app.ts'

const readme = page('README.md')
const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))

/** npm's own commands. */
const ofNpm = ['ci', 'cit', 'install', 'pack']

for (const [path, text] of pages) {
  t.test(`${path}: every npm command exists`, async (t) => {
    const code = [...text.matchAll(/```.*?```|`[^`]+`/gs)].join('\n')
    for (const [command, run, name = ''] of code.matchAll(/\bnpm (run )?([a-z][\w:]*)/g))
      t.ok(name in scripts || (!run && ofNpm.includes(name)), command)
  })

  t.test(`${path}: every file in a shell command exists`, async (t) => {
    const commands = blocksOf(text).map(({ language, text }) => (language === 'sh' ? text : ''))
    for (const [file] of commands.join('').matchAll(/\b(deploy|docs|test)\/[\w/-]+\.\w+(?![\w/])/g))
      t.ok(existsSync(file), file)
  })

  t.test(`${path}: every link leads to a file, and every anchor to a heading`, async (t) => {
    for (const [, link = ''] of text.matchAll(/\]\((?!https:)([^)]+)\)/g)) {
      const [file = '', anchor] = link.split('#')
      const target = file ? join(dirname(path), file) : path
      t.ok(existsSync(target), link)
      if (anchor !== undefined) t.ok(anchorsOf(await readFile(target, 'utf8')).includes(anchor), link)
    }
  })
}

t.test('every page can be reached from the README', async (t) => {
  for (const path of pages.keys()) t.ok(path === 'README.md' || readme.includes(`](${path})`), path)
})

t.test('every npm script is described', async (t) => {
  const described = page('docs/development.md')
  for (const name of Object.keys(scripts)) t.match(described, new RegExp(`\`npm (run )?${name}\``))
})

t.test('the tables of variables and the configuration name the same', async (t) => {
  const inTables = [...page('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const ofAgents = ['STORE_ORDERS_URL', 'STORE_ORDERS_KEY']
  const known = Object.keys(variables).filter((name) => !ofAgents.includes(name))
  t.strictSame(inTables.toSorted(), known.toSorted())
})

t.test('the page names every secret that can be in a file', async (t) => {
  const [sentence = ''] = /^A secret can be in a file.*?\. Line breaks/ms.exec(page('docs/configuration.md')) ?? []
  const named = [...sentence.matchAll(/`([A-Z_]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/_FILE$/.test(name))
  t.strictSame(named.toSorted(), secrets.toSorted())
})

t.test('a misspelling of every variable is recognized', async (t) => {
  for (const [, name = ''] of (await readFile('.env.example', 'utf8')).matchAll(/^([A-Z_]+)=/gm)) {
    const misspelled = name.toLowerCase()
    t.strictSame(loadConfig({ [misspelled]: 'x' }).misspelled, [`${misspelled} has no effect; did you mean ${name}?`])
  }
})

t.test('the defaults in the tables, from which .env.example is written, are those of the configuration', async (t) => {
  const lines = (await readFile('.env.example', 'utf8')).matchAll(/^([A-Z_]+)=(.+)$/gm)
  const inExample = Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value]))
  t.ok(Object.keys(inExample).length > 10)
  const enabled = {
    ...neededEnv,
    DATABASE_URL: 'postgres://orders@db.test/orders',
    METRICS_PORT: '9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318',
  }
  t.strictSame(read({ ...inExample, ...enabled }), read(enabled))

  /** With the files of the connection read. */
  function read(env: Record<string, string>) {
    const config = loadConfig(env)
    return { ...config, tls: config.database?.connection.tls(), database: JSON.stringify(config.database) }
  }
})

t.test('the variables that shell commands set exist', async (t) => {
  const known = [...page('docs/configuration.md').matchAll(/`([A-Z_]+)(?:=\w+)?`/g)].map(([, name]) => name)
  const shell = [...pages.values()].flatMap(blocksOf).filter(({ language }) => language === 'sh')
  const set = shell.flatMap(({ text }) => [...text.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name))
  t.ok(set.length > 5)
  const ofTesters = ['PACT_DO_NOT_TRACK', 'STEPCI_DISABLE_ANALYTICS']
  for (const name of set) t.ok([...known, ...ofTesters].includes(name), String(name))
})

t.test('the tour shows the actual responses', async (t) => {
  const app = await build(t)
  const tour = blocksOf(readme).find(({ language }) => language === 'console')?.text ?? ''
  const steps = tour.split(/^\$ /m).slice(1)
  t.equal(steps.length, 6)
  for (const step of steps) {
    const [command = '', ...shown] = step.trim().split('\n')
    const method = command.includes('-X DELETE') ? 'DELETE' : 'GET'
    const url = command.split('http://127.0.0.1:3000')[1] ?? ''
    const headers = command.includes('$API_KEY') ? { authorization } : {}
    const { statusCode, statusMessage, body } = await app.inject({ method, url, headers })
    const response = [
      ...(command.includes(' -i ') ? [`HTTP/1.1 ${statusCode} ${statusMessage}`] : []),
      ...(body ? [body] : []),
    ]
    for (const [index, line] of shown.entries()) {
      if (line.endsWith(', …')) t.ok(response[index]?.startsWith(line.slice(0, -3)), command)
      else t.equal(response[index], line, command)
    }
    t.equal(shown.length, response.length, command)
  }
})

/** As GitHub generates them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
