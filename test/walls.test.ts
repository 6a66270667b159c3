// The import rules in .dependency-cruiser.js are enforced: a violation of each kind is found in a copy.
import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'

/** Each has a forbidden import. `rule` is how the name of the violated rule begins. */
const planted: [file: string, text: string, rule: string][] = [
  ['app.planted.ts', "import './app.ts'", 'every file belongs to a part'],
  ['somewhere/x.ts', "import '../app.ts'", 'every file belongs to a part'],
  ['domains/x.ts', "import '../config/keys.ts'", 'every file belongs to a part'],
  ['store/x.ts', "import '../handlers/index.ts'", 'every file belongs to a part'],
  ['domains/dns/a.ts', "import '../../store/memory/load.ts'", 'domains/dns/ knows only'],
  ['domains/dns/b.ts', "import '../../handlers/index.ts'", 'domains/dns/ knows only'],
  ['domains/dns/c.ts', "import '../../config/keys.ts'", 'domains/dns/ knows only'],
  ['domains/dns/d.ts', "import '../ports/routing.ts'", 'domains/dns/ knows only'],
  ['domains/state/a.ts', "import '../dns/name.ts'", 'domains/state/ knows only'],
  ['domains/view/a.ts', "import 'tldts'", 'domains/view/ uses only'],
  ['store/memory/a.ts', "import '../../handlers/index.ts'", 'store/memory/ knows only'],
  ['store/memory/b.ts', "import '../../http/host.ts'", 'store/memory/ knows only'],
  ['store/memory/c.ts', "import 'fastify'", 'store/memory/ uses only'],
  ['store/postgres/a.ts', "import '../memory/load.ts'", 'store/postgres/ knows only'],
  ['store/postgres/b.ts', "import 'fastify'", 'store/postgres/ uses only'],
  ['handlers/a.ts', "import 'fastify'", 'handlers/*.ts uses only'],
  ['handlers/b.ts', "import 'node:http'", 'handlers/*.ts uses only'],
  ['handlers/c.ts', "import './cancelOrder.ts'", 'handlers/*.ts knows only'],
  ['handlers/d.ts', "import '../store/memory/load.ts'", 'handlers/*.ts knows only'],
  ['handlers/e.ts', "import '../plugins/auth.ts'", 'handlers/*.ts knows only'],
  ['handlers/dashboard/a.ts', "import '../../domains/publish.ts'", 'handlers/dashboard/*.ts knows only'],
  ['plugins/a.ts', "import './list/gzip.ts'", 'plugins/*.ts knows only'],
  ['plugins/b.ts', "import './auth.ts'", 'plugins/*.ts knows only'],
  ['plugins/c.ts', "import '../handlers/index.ts'", 'plugins/*.ts knows only'],
  ['plugins/d.ts', "import '../store/memory/load.ts'", 'plugins/*.ts knows only'],
  ['plugins/e.ts', "import 'acme-client'", 'plugins/*.ts uses only'],
  ['plugins/list/a.ts', "import '../docs/page.ts'", 'plugins/list/ knows only'],
  ['plugins/list/b.ts', "import '../list.ts'", 'plugins/list/ knows only'],
  ['plugins/f.ts', "import '../reference/read.ts'", 'plugins/*.ts knows only'],
  ['reference/a.ts', "import '../plugins/docs.ts'", 'reference/ knows only'],
  ['reference/b.ts', "import 'fastify'", 'reference/ uses only'],
  ['http/a.ts', "import '../spec/errors.ts'", 'http/ knows only'],
  ['http/b.ts', "import 'fastify'", 'http/ uses only'],
  ['spec/a.ts', "import '../plugins/auth.ts'", 'spec/ knows only'],
  ['client/a.ts', "import '../spec/errors.ts'", 'client/ knows only'],
  ['client/b.ts', "import 'node:http'", 'client/ uses only'],
  ['cli/a.ts', "import '../plugins/auth.ts'", 'cli/ knows only'],
  ['browser/docs/a.js', "import '../dashboard/dom.js'", 'browser/docs/ knows only'],
  [
    'handlers/f.ts',
    "import type { FastifyReply } from 'fastify'\nexport type X = FastifyReply",
    'handlers/*.ts uses only',
  ],
  ['handlers/g.ts', "export const load = () => import('../plugins/auth.ts')", 'handlers/*.ts knows only'],
  ['handlers/h.ts', "export * from '../plugins/auth.ts'", 'handlers/*.ts knows only'],
  ['http/c.ts', "import './host.ts'\nimport './c2.ts'", 'no circular imports'],
  ['handlers/i.ts', "import '../test/fixtures/app.ts'", 'handlers/*.ts knows only'],
]

t.test('a violation of each kind is found', async (t) => {
  const dir = t.testdir()
  const copied = [
    'app.ts',
    'config',
    'client',
    'browser',
    'domains',
    'handlers',
    'http',
    'plugins',
    'reference',
    'spec',
    'store',
  ]
  for (const part of [...copied, 'package.json', 'tsconfig.json', '.dependency-cruiser.js', 'test/fixtures']) {
    await cp(part, `${dir}/${part}`, { recursive: true })
  }
  await symlink(`${process.cwd()}/node_modules`, `${dir}/node_modules`)
  const all: (readonly [string, string, ...unknown[]])[] = [['http/c2.ts', "import './c.ts'"], ...planted]
  for (const [file, text] of all) {
    await mkdir(dirname(`${dir}/${file}`), { recursive: true })
    await writeFile(`${dir}/${file}`, text)
  }
  const args = ['node_modules/.bin/depcruise', '--output-type', 'json', '.']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dir, maxBuffer: 2 ** 28 }).catch(
    (error) => error,
  )
  const { violations } = JSON.parse(stdout).summary
  for (const [file, text, rule] of planted) {
    const found = violations.filter((violation: { from: string }) => violation.from === file)
    const rules: string[] = found.map((violation: { rule: { name: string } }) => violation.rule.name)
    t.ok(
      rules.some((name) => name.startsWith(rule)),
      `${file}: ${text}: ${rules.join('; ')}`,
    )
  }
  const expected = all.map(([file]) => file)
  t.strictSame(
    violations.filter(({ from }: { from: string }) => !expected.includes(from)),
    [],
    'and nothing else is',
  )
})
