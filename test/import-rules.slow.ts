// Violates each import rule of .dependency-cruiser.js in a copy of the project: every violation must be found.
import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'

const [texts, pages] = ['packages/custom-domains/src/texts/', 'packages/openapi-pages/src/']
/** Each file has a forbidden import. `rule` is how the name of the violated rule begins. */
const planted: [file: string, text: string, rule: string][] = [
  ['somewhere/a.ts', "import '../app.ts'", 'every file belongs to a part'],
  ['handlers/a.ts', "import '../plugins/auth.ts'", 'handlers/*.ts imports only'],
  ['handlers/b.ts', "export * from '../plugins/auth.ts'", 'handlers/*.ts imports only'],
  ['handlers/c.ts', "export const load = () => import('../plugins/auth.ts')", 'handlers/*.ts imports only'],
  ['handlers/d.ts', "import type { X } from 'fastify'\nexport type Y = X", 'handlers/*.ts imports only'],
  ['packages/http-edge/src/a.ts', "import './host.ts'\nimport './b.ts'", 'no circular imports'],
  // Features may be imported only through their index files.
  ['app.ts', `import './${pages}reference/read.ts'`, 'app.ts imports only'],
  ['domains/postgres/a.ts', "import '../../packages/custom-domains/src/time.ts'", 'domains/postgres/ imports only'],
  [`${texts}a.ts`, "import '../../../../spec/errors.ts'", `${texts} imports only`],
  ['domains/dashboard/a.ts', `import '../../${pages}reference/read.ts'`, 'domains/dashboard/ imports only'],
  ['plugins/a.ts', "import '../telemetry/log.ts'", 'plugins/*.ts imports only'],
]

t.test('a violation of each rule is found', async (t) => {
  const dir = t.testdir()
  const copied = ['config', 'domains', 'deploy', 'handlers', 'packages', 'plugins', 'spec', 'store', 'telemetry']
  for (const part of [...copied, 'package.json', 'tsconfig.json', '.dependency-cruiser.js'])
    await cp(part, `${dir}/${part}`, { recursive: true })
  await symlink(`${process.cwd()}/node_modules`, `${dir}/node_modules`)
  await writeFile(`${dir}/packages/http-edge/src/b.ts`, "import './a.ts'") // depcruise reports a cycle once
  for (const [file, text] of planted) {
    await mkdir(dirname(`${dir}/${file}`), { recursive: true })
    await writeFile(`${dir}/${file}`, text)
  }
  const args = ['node_modules/.bin/depcruise', '--output-type', 'json', '.']
  const running = promisify(execFile)(process.execPath, args, { cwd: dir, maxBuffer: 2 ** 28 })
  const { stdout } = await running.catch((error) => error)
  const { violations }: { violations: { from: string; rule: { name: string } }[] } = JSON.parse(stdout).summary
  for (const [file, text, rule] of planted) {
    const isFound = violations.some((each) => each.from === file && each.rule.name.startsWith(rule))
    t.ok(isFound, `${file}: ${text}`)
  }
})
