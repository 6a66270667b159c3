import { readFileSync } from 'node:fs'
import t from 'tap'

const read = (folder: string) => JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
const service = read('')
const workspaces: string[] = service.workspaces
const folders = ['', 'bench/', 'test/runners/', ...workspaces.map((path) => `${path}/`)]

t.test('a dependency has the same version wherever a manifest names it', async (t) => {
  const known = new Map<string, { version: string; folder: string }>()
  for (const name of workspaces.map((path) => read(`${path}/`).name))
    known.set(name, { version: service.version, folder: '' })
  for (const folder of folders) {
    const { dependencies, devDependencies } = read(folder)
    for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      const version = range.replace(/^\^/, '')
      const other = known.get(name) ?? { version, folder }
      known.set(name, other)
      t.equal(version, other.version, `${name} in ${folder}package.json and ${other.folder}package.json`)
    }
  }
})

t.test('a package that others install takes later versions, too, from the locked one on', async (t) => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const { name: folder, private: isPrivate, dependencies = {} } of workspaces.map((path) => read(`${path}/`))) {
    if (isPrivate) continue
    for (const [name, range] of Object.entries<string>(dependencies)) {
      const { version, resolved } = packages[`node_modules/${name}`]
      t.equal(range, `^${version ?? packages[resolved].version}`, `${name} of ${folder}`)
    }
  }
})

t.test('all packages have the version of the service', async (t) => {
  for (const path of workspaces) t.equal(read(`${path}/`).version, service.version, path)
})
