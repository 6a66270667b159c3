// The files of deploy/: what they name exists, and linters find nothing.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import t from 'tap'

interface Manifest {
  files: string[]
  dependencies: Record<string, string>
}
const manifest: Manifest = JSON.parse(await readFile('package.json', 'utf8'))

t.test('the image has every folder of the package, and its build all that it needs', async (t) => {
  const dockerfile = await readFile('deploy/Dockerfile', 'utf8')
  t.strictSame(validate(dockerfile), [])
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path]) => path)
  const notInImage = ['deploy', 'docs']
  const folders = manifest.files.map((path) => path.split('/')[0] as string).filter((path) => /^[a-z]+$/.test(path))
  const needed = folders.filter((path) => !notInImage.includes(path))
  t.strictSame(copied.toSorted(), [...new Set([...needed, 'node_modules', 'package.json'])].toSorted())
  const { include } = JSON.parse(await readFile('tsconfig.build.json', 'utf8')) as { include: string[] }
  const sent = [...(await readFile('.dockerignore', 'utf8')).matchAll(/^!(.+)$/gm)].map(([, path]) => path as string)
  for (const path of [...include, 'client']) t.ok(sent.includes(path), path)
  for (const path of sent) t.ok(path.includes('*') || existsSync(path), path)
})

t.test('the unit starts the command, without privileges, and lets it write only its own folder', async (t) => {
  const unit = await readFile('deploy/store-orders.service', 'utf8')
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  t.match(setting('ExecStart'), /^\/usr\/bin\/node dist\/cli\/index\.js serve$/)
  t.equal(setting('User'), 'store-orders')
  t.equal(setting('ProtectSystem'), 'strict')
  t.equal(setting('CapabilityBoundingSet'), 'CAP_NET_BIND_SERVICE')
  const delayAtMost = 300
  t.ok(Number(setting('TimeoutStopSec')) >= delayAtMost + 10, 'the longest shutdown is not killed')
  const permissions = await readFile('deploy/permission-model.conf', 'utf8')
  t.strictSame(permissions.match(/--allow-fs-write=\S+/g), [`--allow-fs-write=/var/lib/${setting('StateDirectory')}/`])
  t.ok(permissions.trimEnd().endsWith('dist/cli/index.js serve'))
})

t.test('the bill of materials lists every package that is installed to run the server', async (t) => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { maxBuffer: 2 ** 26 })
  const bill = JSON.parse(stdout)
  t.match(bill, { bomFormat: 'CycloneDX', specVersion: /^1\.\d$/, metadata: { component: { name: 'store-orders' } } })
  const listed: string[] = bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl))
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    t.ok(listed.includes(`pkg:npm/${name}@${version}`), name)
  }
  t.notOk(
    listed.some((purl) => purl.startsWith('pkg:npm/tap@')),
    'development only',
  )
  for (const { hashes } of bill.components) t.match(hashes ?? [{ alg: 'SHA-512' }], [{ alg: 'SHA-512' }])
})

t.test('every file of the folder is described', async (t) => {
  const described = await readFile('docs/operating.md', 'utf8')
  for (const name of (await readdir('deploy')).filter((name) => !/\.(js|sh)$/.test(name)))
    t.ok(described.includes(`deploy/${name}`), name)
})
