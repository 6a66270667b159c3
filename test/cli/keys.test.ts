import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import t, { type Test } from 'tap'
import { digestOf, isMistyped } from '../../config/keys/key.ts'
import { runCommand } from './command.ts'

const onlyNow = 'The key is shown only now: the file holds its digest.'
const newKey = /^so_\w{43}_\w{6}\n$/

function fileOf(t: Test, lines?: string[]) {
  const file = `${t.testdir(lines ? { keys: lines.join('\n') } : {})}/keys`
  const run = (...args: string[]) => runCommand(['keys', ...args], { API_KEYS_FILE: file })
  return { file, run, text: () => readFile(file, 'utf8') }
}

t.test('a new key is printed on its own, and only its digest is in the file', async (t) => {
  const { file, run, text } = fileOf(t)
  const made = await run('new', 'shop')
  t.match(made, { code: 0, stdout: newKey })
  const { uid } = await stat(dirname(file))
  t.equal(made.stderr, `Added shop to ${file} (owner: user ID ${uid}, mode: 600). ${onlyNow}\n`)
  const key = made.stdout.trim()
  t.notOk(isMistyped(key))
  t.match(await text(), new RegExp(`^shop sha256:${digestOf(key)} created=[\\dT:-]+Z$`, 'm'), 'in whole seconds')
  t.notMatch(await text(), key)

  t.match(await run('new', 'reader', '--read-only', '--expires', '13w'), { code: 0, stdout: newKey })
  const [, created = '', expires = ''] =
    /^reader sha256:\S+ read-only created=(\S+) expires=(\S+)$/m.exec(await text()) ?? []
  t.equal(Date.parse(expires) - Date.parse(created), 91 * 86_400_000)
  const stderr = 'store-orders: shop already has a key: rotate or revoke it\n'
  t.strictSame(await run('new', 'shop'), { code: 1, stdout: '', stderr })
})

t.test('the list shows the scope and the expiry of each key', async (t) => {
  t.intercept(Date, 'now', { value: () => Date.UTC(2026, 0, 1) + 999 }) // the second in which the last one ends
  const [a, b, c] = ['a', 'b', 'c'].map(digestOf)
  const { file, run } = fileOf(t, [
    '# Ours',
    `shop sha256:${a} created=2026-01-02T03:04:05Z expires=2999-01-01`,
    `shop sha256:${b} read-only grace=2998-01-01`,
    `old sha256:${c} expires=2026-01-01`,
  ])
  t.strictSame(await run('list'), {
    code: 0,
    stdout: `NAME  SCOPE      CREATED            EXPIRES
shop  full       2026-01-02T03:04Z  2999-01-01T00:00Z
shop  read-only  -                  2998-01-01T00:00Z (rotated)
old   full       -                  2026-01-01T00:00Z (expired)
`,
    stderr: '',
  })
  const listed = JSON.parse((await run('list', '--json')).stdout)
  const usual = { createdAt: null, isExpired: false, isRotated: false }
  const created = '2026-01-02T03:04:05.000Z'
  t.strictSame(listed, [
    { ...usual, name: 'shop', scope: 'full', createdAt: created, expiresAt: '2999-01-01T00:00:00.000Z' },
    { ...usual, name: 'shop', scope: 'read-only', expiresAt: '2998-01-01T00:00:00.000Z', isRotated: true },
    { ...usual, name: 'old', scope: 'full', expiresAt: '2026-01-01T00:00:00.000Z', isExpired: true },
  ])
  await writeFile(file, `shop sha256:${a}\n`)
  t.match(await run('list'), { stdout: / {2}never\n$/ })
  await run('revoke', 'shop')
  t.strictSame(await run('list'), { code: 0, stdout: '', stderr: `${file} holds no key.\n` })
})

t.test('a key is rotated with a grace of seven days, or none', async (t) => {
  const { run, text } = fileOf(t, [`shop sha256:${digestOf('a')}`])
  const rotated = await run('rotate', 'shop')
  const [, created = '', grace = ''] = / created=(\S+)\n.* grace=(\S+)/.exec(await text()) ?? []
  t.equal(Date.parse(grace) - Date.parse(created), 7 * 86_400_000)
  const stderr = `The old key is valid until ${grace.slice(0, 16)}Z. ${onlyNow}\n`
  t.match(rotated, { code: 0, stdout: newKey, stderr })
  t.match(await text(), digestOf(rotated.stdout.trim()))
  const last = await run('rotate', 'shop', '--grace', '0', '--expires', '30d')
  t.match(last, { code: 0, stdout: newKey, stderr: /^The old key is revoked\. / })
  t.match(await text(), new RegExp(`^shop sha256:${digestOf(last.stdout.trim())} created=\\S+ expires=\\S+\\n$`))
})

t.test('a key is revoked', async (t) => {
  const { run, text } = fileOf(t, [`shop sha256:${digestOf('a')}`, `other sha256:${digestOf('b')}`])
  t.strictSame(await run('revoke', 'shop'), { code: 0, stdout: '', stderr: 'shop is revoked.\n' })
  t.equal(await text(), `other sha256:${digestOf('b')}\n`)
  t.match(await run('revoke', 'shop'), { code: 1, stderr: 'store-orders: there is no key named shop\n' })
})

t.test('invalid values are errors', async (t) => {
  const { run } = fileOf(t, ['shop'])
  const errors: Record<string, RegExp> = {
    'new a:b': /a name consists of letters, digits, "\.", "_" and "-"/,
    'new other': /keys, line 1: must be "name sha256:HEX"/,
  }
  for (const [args, message] of Object.entries(errors))
    t.match(await run(...args.split(' ')), { code: 1, stdout: '', stderr: message }, args)
  for (const args of ['new shop --expires 90', 'new shop --expires 0d', 'rotate shop --grace soon']) {
    const [, , option, text] = args.split(' ')
    const reason = 'It must be a whole number of ms, s, m, h, d or w, like 90d.'
    const stderr = `store-orders: option '${option} <duration>' argument '${text}' is invalid. ${reason}\n`
    t.match(await run(...args.split(' ')), { code: 2, stdout: '', stderr })
  }
  t.match(await runCommand(['keys', 'list']), { code: 1, stdout: '', stderr: /API_KEYS_FILE must/ })
})
