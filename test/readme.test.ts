import { existsSync } from 'node:fs'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t, { type Test } from 'tap'
import { loadConfig } from '../config.ts'
import { authorization, build, key } from './fixtures/app.ts'
import { run as runIn } from './fixtures/package.ts'
import { startServer } from './fixtures/process.ts'

const readme = await readFile('README.md', 'utf8')
const manifest = JSON.parse(await readFile('package.json', 'utf8'))

t.test('every npm script that it names exists', async (t) => {
  const named = [...readme.matchAll(/`npm (?:run )?([\w:]+)`|npm run ([\w:]+)/g)].map(([, a, b]) => String(a ?? b))
  t.ok(named.length > 5)
  for (const script of new Set(named)) t.ok(script === 'cit' || script in manifest.scripts, script)
})

t.test('every link and every file of the tree exists', async (t) => {
  const links = [...readme.matchAll(/\]\((?!https:)([^)#]+)\)/g)].map(([, link]) => String(link))
  const tree = readme.split('```text\nspec/')[1]?.split('```')[0] ?? ''
  const paths: string[] = []
  let folder = ''
  for (const line of `spec/${tree}`.trimEnd().split('\n')) {
    const [, indentation, path = ''] = /^( *)(\S+)/.exec(line) ?? []
    if (!indentation) folder = path
    paths.push(indentation ? `${folder}${path}` : path)
  }
  t.ok(links.length > 5 && paths.length > 25)
  for (const path of [...links, ...paths]) t.ok(existsSync(path), path)
})

t.test('its table of variables, .env.example and the configuration name the same', async (t) => {
  const inTable = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const inExample = [...(await readFile('.env.example', 'utf8')).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  const inConfig = new Set<string>()
  const env = {
    PLATFORM_DOMAIN: 'platform.test',
    PLATFORM_CNAME_TARGET: 'cname.platform.test',
    ACME_EMAIL: 'ops@platform.test',
  }
  const get = (known: Record<string, string>, name: string) => {
    inConfig.add(name)
    return known[name]
  }
  loadConfig(new Proxy<Record<string, string>>(env, { get }))
  inConfig.delete('NODE_ENV')
  t.strictSame(inTable.toSorted(), inExample.toSorted())
  t.strictSame(inTable.toSorted(), [...inConfig].toSorted())
})

t.test('the tour with curl answers what it shows', async (t) => {
  const app = await build(t)
  const tour = readme.split('```console\n')[1]?.split('```')[0] ?? ''
  const steps = tour.split(/^\$ /m).slice(1)
  t.equal(steps.length, 6)
  for (const step of steps) {
    const [command = '', ...shown] = step.trim().split('\n')
    const method = command.includes('-X DELETE') ? 'DELETE' : 'GET'
    const url = command.split('http://127.0.0.1:3000')[1] ?? ''
    const headers = command.includes('$API_KEY') ? { authorization } : {}
    const { statusCode, statusMessage, body } = await app.inject({ method, url, headers })
    const answer = [
      ...(command.includes(' -i ') ? [`HTTP/1.1 ${statusCode} ${statusMessage}`] : []),
      ...(body ? [body] : []),
    ]
    for (const [index, line] of shown.entries()) {
      if (line.endsWith(', …')) t.ok(answer[index]?.startsWith(line.slice(0, -3)), command)
      else t.equal(answer[index], line, command)
    }
    t.equal(shown.length, answer.length, command)
  }
})

t.test('an operation is added in the four steps', async (t) => {
  const { dir, run } = await copyOfTree(t)
  const [yaml = '', handler = '', table = ''] = ['yaml', 'ts', 'ts'].map((language, index) =>
    block(language, index === 2 ? 1 : 0),
  )
  const change = async (file: string, edit: (text: string) => string) =>
    writeFile(`${dir}/${file}`, edit(await readFile(`${dir}/${file}`, 'utf8')))

  await change('spec/openapi.yaml', (text) => text.replace('\npaths:\n', `\npaths:\n${yaml}`))
  const unwired = startServer(t, {}, { cwd: dir })
  t.equal(await unwired.ended, 1)
  t.equal(unwired.stderr(), 'store-orders: getSummary has no handler in handlers/index.ts\n')

  await run('npm', 'run', 'types')
  t.match(await run('node_modules/.bin/tsc').catch(({ stdout }) => stdout), /Property 'getSummary' is missing/)

  await writeFile(`${dir}/handlers/getSummary.ts`, handler)
  const [line = '', ...rest] = table.trim().split('\n')
  await change('handlers/index.ts', (text) =>
    text.replace('\nimport', `\n${line}\nimport`).replace(/^export const handlers.*$/m, rest.join('\n').trim()),
  )
  await run('node_modules/.bin/tsc')
  const origin = await startServer(t, { API_KEYS: `tests:${key}` }, { cwd: dir }).origin
  const answer = await fetch(`${origin}/v1/store/summary`, { headers: { authorization } })
  t.strictSame(await answer.json(), { orders: 17 })
  t.equal((await fetch(`${origin}/v1/store/summary`)).status, 401)
})

/** The README's code block number `index` of a language, without the indentation of the list that it stands in. */
function block(language: string, index: number): string {
  const blocks = [...readme.matchAll(new RegExp(`^   \`\`\`${language}\\n(.*?)^   \`\`\``, 'gms'))]
  return String(blocks[index]?.[1]).replace(/^ {3}/gm, '')
}

async function copyOfTree(t: Test) {
  const dir = t.testdir()
  const files = ['app', 'config', 'keys', 'log', 'server', 'terminal', 'variables'].map((name) => `${name}.ts`)
  const folders = ['browser', 'domains', 'handlers', 'http', 'plugins', 'spec', 'store']
  for (const part of [...files, 'package.json', 'tsconfig.json', ...folders])
    await cp(part, `${dir}/${part}`, { recursive: true })
  await symlink(`${process.cwd()}/node_modules`, `${dir}/node_modules`)
  const run = (command: string, ...args: string[]) => runIn(dir, command, ...args)
  return { dir, run }
}
