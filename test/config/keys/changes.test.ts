import t from 'tap'
import { messageOf } from 'test-kit/message'
import { revokeKey, rotateKey } from '../../../config/keys/changes.ts'
import { linesIn } from '../../../config/keys/file.ts'
import { digestOf } from '../../../config/keys/key.ts'

const now = Date.UTC(2026, 10, 22)
const DAY = 86_400_000
const [one, two, three, next] = ['1', '2', '3', 'next'].map(digestOf)
const created = 'created=2026-11-22T00:00:00Z'

const linesOf = (...lines: string[]) => linesIn(lines.join('\n'))
const textsOf = (lines: { text: string }[]) => lines.map(({ text }) => text)
const rotated = (lines: string[], given = {}) =>
  textsOf(rotateKey({ name: 'shop', key: 'next', now, lifetime: undefined, grace: DAY, ...given })(linesOf(...lines)))

t.test('a rotated key is valid until its grace ends, and passes on its scope and lifetime', async (t) => {
  t.strictSame(rotated(['# a', `shop sha256:${one}`, `other sha256:${two}`]), [
    '# a',
    `shop sha256:${next} ${created}`,
    `shop sha256:${one} grace=2026-11-23T00:00:00Z`,
    `other sha256:${two}`,
  ])
  t.strictSame(rotated([`shop sha256:${one} read-only created=2026-11-01 expires=2026-12-01`]), [
    `shop sha256:${next} read-only ${created} expires=2026-12-22T00:00:00Z`,
    `shop sha256:${one} read-only created=2026-11-01T00:00:00Z expires=2026-12-01T00:00:00Z grace=2026-11-23T00:00:00Z`,
  ])
})

t.test('without grace, no older key is valid', async (t) => {
  t.strictSame(rotated([`shop sha256:${one}`, `shop sha256:${two} grace=2027-01-01`], { grace: 0 }), [
    `shop sha256:${next} ${created}`,
  ])
})

t.test('keys rotated earlier keep their own grace and are removed after it', async (t) => {
  const kept = `shop sha256:${two} grace=2026-11-24`
  const lines = [`shop sha256:${three} grace=2026-11-22`, kept, `shop sha256:${one} expires=2026-11-01`]
  const added = `shop sha256:${next} ${created} expires=2026-11-24T00:00:00Z`
  t.strictSame(rotated(lines, { lifetime: 2 * DAY }), [kept, added])
})

t.test('an unknown lifetime has to be given', async (t) => {
  const message = 'the old key expires, but its line does not say when it was created: give --expires'
  t.equal(await messageOf(() => rotated([`shop sha256:${one} expires=2027-01-01`])), message)
})

t.test('revoking a name removes all of its keys', async (t) => {
  const lines = linesOf(`shop sha256:${one}`, `other sha256:${three}`, `shop sha256:${two} grace=2027-01-01`)
  t.strictSame(textsOf(revokeKey('shop')(lines)), [`other sha256:${three}`])
})
