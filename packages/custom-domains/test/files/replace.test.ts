import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { removeParts, replaceFile } from '../../src/files/replace.ts'

const lock = { number: 7, check: async () => {} }

t.test('a failed write leaves the file unchanged', async (t) => {
  const dir = t.testdir({ 'state.json': 'one' })
  await mkdir(`${dir}/state.json.7.part`)
  await t.rejects(replaceFile(`${dir}/state.json`, 'two', lock), { code: 'EISDIR' })
  t.equal(await readFile(`${dir}/state.json`, 'utf8'), 'one')
  await t.rejects(replaceFile(`${dir}/none/state.json`, 'two', lock), { code: 'ENOENT' })
  await mkdir(`${dir}/folder`)
  await writeFile(`${dir}/folder/file`, '')
  await t.rejects(replaceFile(`${dir}/folder`, 'two', lock), { code: /^E/ })
  t.strictSame((await readdir(dir)).toSorted(), ['folder', 'state.json', 'state.json.7.part'])
})

t.test('a process that has lost its lock replaces nothing, wherever it was paused', async (t) => {
  const dir = t.testdir({ 'state.json': 'one' })
  const lost = () => Promise.reject(new Error('another server has taken over'))
  await t.rejects(replaceFile(`${dir}/state.json`, 'two', { number: 1, check: lost }), { message: /taken over/ })
  const overtaken = () => removeParts(dir) // the next holder starts between the check and the rename
  await t.rejects(replaceFile(`${dir}/state.json`, 'two', { number: 1, check: overtaken }), { code: 'ENOENT' })
  t.equal(await readFile(`${dir}/state.json`, 'utf8'), 'one')
  t.strictSame(await readdir(dir), ['state.json'])
})

t.test('an error names the file, although the system does not', async (t) => {
  const dir = t.testdir({ 'state.json': 'one' })
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const replaced = replaceFile(`${dir}/state.json`, 'two', { number: 1, check: () => Promise.reject(full) })
  const message = `${dir}/state.json cannot be written: ENOSPC: no space left on device`
  await t.rejects(replaced, { message, code: 'ENOSPC' })
})
