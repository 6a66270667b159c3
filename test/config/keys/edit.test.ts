import { existsSync } from 'node:fs'
import { chmod, chown, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import { addKey, revokeKey, rotateKey } from '../../../config/keys/changes.ts'
import { editKeyFile, readLines } from '../../../config/keys/edit.ts'
import { digestOf } from '../../../config/keys/key.ts'
import { loadKeys } from '../../../config/keys/key-set.ts'

const now = Date.UTC(2026, 10, 22)
const DAY = 86_400_000
const added = (name: string, given = {}) =>
  addKey({ name, key: `key of ${name}`, now, lifetime: undefined, isReadOnly: false, ...given })
const lineOf = (name: string, rest = ' created=2026-11-22T00:00:00Z') =>
  `${name} sha256:${digestOf(`key of ${name}`)}${rest}`

t.test('a missing file is created, readable only by its owner', async (t) => {
  const file = `${t.testdir({})}/keys`
  await editKeyFile(file, added('shop', { lifetime: DAY, isReadOnly: true }))
  t.equal((await stat(file)).mode & 0o777, 0o600)
  const [comment, line] = (await readFile(file, 'utf8')).split('\n')
  t.match(comment, /^# API keys of Store Orders, /)
  t.equal(line, lineOf('shop', ' read-only created=2026-11-22T00:00:00Z expires=2026-11-23T00:00:00Z'))
})

t.test('comments, other lines and permissions are kept', async (t) => {
  const before = `# Ours\r\n${lineOf('old', '')}\r\n\r\n  odd\tsha256:${digestOf('odd')}`
  const file = `${t.testdir({ keys: before })}/keys`
  await chmod(file, 0o640)
  await editKeyFile(file, added('shop'))
  const unix = before.replaceAll('\r', '')
  t.equal(await readFile(file, 'utf8'), `${unix}\n${lineOf('shop')}\n`)
  t.equal((await stat(file)).mode & 0o777, 0o640)
  await editKeyFile(file, revokeKey('shop'))
  t.equal(await readFile(file, 'utf8'), `${unix}\n`)
})

t.test('a file is never left empty, which the server would reject', async (t) => {
  const file = `${t.testdir({ keys: `${lineOf('shop')}\n` })}/keys`
  await editKeyFile(file, revokeKey('shop'))
  t.match(await readFile(file, 'utf8'), /^# API keys/)
  for (const { entry } of await readLines(file)) t.equal(entry, undefined)
})

const skip = process.getuid?.() === 0 ? false : 'it takes the rights of root'
t.test('the owner is kept, and a new file gets that of its folder', { skip }, async (t) => {
  const folder = t.testdir({ keys: lineOf('shop'), other: {} })
  const file = `${folder}/keys`
  for (const path of [file, `${folder}/other`]) await chown(path, 1234, 2345)
  for (const path of [file, `${folder}/other/keys`]) {
    await editKeyFile(path, added('other'))
    t.match(await stat(path), { uid: 1234, gid: 2345 })
  }
})

t.test('a symbolic link remains a symbolic link', async (t) => {
  const dir = t.testdir({ real: { keys: lineOf('shop') } })
  await symlink('real/keys', `${dir}/keys`)
  await editKeyFile(`${dir}/keys`, added('other'))
  t.equal(await readlink(`${dir}/keys`), 'real/keys')
  t.match(await readFile(`${dir}/real/keys`, 'utf8'), lineOf('other'))
})

t.test('a failed change leaves the file unchanged', async (t) => {
  const dir = t.testdir({ keys: lineOf('shop'), bad: 'shop\nother\n', folder: {} })
  const file = `${dir}/keys`
  const before = await stat(file)
  t.equal(await messageOf(() => editKeyFile(file, added('shop'))), 'shop already has a key: rotate or revoke it')
  t.equal(await messageOf(() => editKeyFile(file, revokeKey('other'))), 'there is no key named other')
  const rotation = { name: 'other', key: 'x', now, lifetime: undefined, grace: 0 }
  t.equal(await messageOf(() => editKeyFile(file, rotateKey(rotation))), 'there is no key named other')
  t.match(await messageOf(() => editKeyFile(`${dir}/bad`, added('x'))), /bad, line 1: .*\n.*bad, line 2: /)
  const isFolder = `${dir}/folder is unchanged: EISDIR: illegal operation on a directory, read`
  t.match(await messageOf(() => editKeyFile(`${dir}/folder`, added('x'))), isFolder)
  t.match(await messageOf(() => editKeyFile(`${dir}/none/keys`, added('x'))), /ENOENT/)
  t.match(await messageOf(() => editKeyFile(`${file}/keys`, added('x'))), /ENOTDIR/)
  const { ino, mtimeMs } = before
  t.hasStrict(await stat(file), { ino, mtimeMs })
  t.notOk(['keys', 'bad', 'folder'].some((name) => existsSync(`${dir}/${name}.new`)))
})

t.test('concurrent commands all take effect', async (t) => {
  const file = `${t.testdir({})}/keys`
  const names = Array.from({ length: 20 }, (_, index) => `shop-${index}`)
  await Promise.all(names.map((name) => editKeyFile(file, added(name), 60_000)))
  const { keys } = await loadKeys({ values: [], variable: '', file })
  t.strictSame([...keys.values()].map(({ name }) => name).sort(), [...names].sort())
})

t.test('after a timeout, the error names the lock that a killed command left', async (t) => {
  const file = `${t.testdir({ keys: lineOf('shop') })}/keys`
  await writeFile(`${file}.new`, '')
  const message = `another command is changing the keys. If none is, delete ${file}.new`
  t.equal(await messageOf(() => editKeyFile(file, revokeKey('shop'), 0)), message)
  t.ok(existsSync(`${file}.new`))
})
