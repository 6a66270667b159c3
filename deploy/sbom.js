// Prints the bill of materials (CycloneDX) of the packages that run the server, from the lock file. `npm sbom --omit dev`
// would leave out those that a development dependency needs as well, so it is shown the production ones alone.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const read = async (/** @type {string} */ path) => JSON.parse(await readFile(path, 'utf8'))
const { devDependencies: _, ...manifest } = await read('package.json')
const { packages, ...lock } = await read('package-lock.json')
const isOfTests = (/** @type {string} */ path) => /\/test-kit$/.test(path)
const needed = Object.entries(packages).filter(
  ([path, { dev, devOptional }]) => !dev && !devOptional && !isOfTests(path),
)
manifest.workspaces = manifest.workspaces.filter((/** @type {string} */ path) => !isOfTests(path))
const production = { ...lock, packages: { ...Object.fromEntries(needed), '': manifest } }

const folder = await mkdtemp(join(tmpdir(), 'sbom-'))
const cwd = join(folder, manifest.name) // npm names the bill after the folder
try {
  await mkdir(cwd)
  await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(cwd, 'package-lock.json'), JSON.stringify(production))
  for (const path of manifest.workspaces) await cp(`${path}/package.json`, join(cwd, path, 'package.json'))
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
} finally {
  await rm(folder, { recursive: true })
}
