import t from 'tap'
import { decodableTarget, hostCheck, isMalformed, splitTarget } from '../src/target.ts'

const wellFormed: Record<string, string> = {
  '/docs?a=%zz': '/docs?a=%zz',
  '/a%20b': '/a%20b',
  'http://x/docs?a': '/docs?a',
  'HTTPS://x:443': '/',
  'http://x?%zz': '/?%zz',
  'http://x/%41': '/%41',
}
const malformed: Record<string, string> = {
  '/%zz/%41': '/%25zz/%41',
  '/%e2%82%ac/%e2%82': '/%e2%82%ac/%25e2%2582',
  'http://x/%': '/%25',
  docs: '//docs',
  '*': '//*',
  '%': '//%25',
}

t.test('a target that can be decoded is routed by its path and query', async (t) => {
  for (const [target, path] of Object.entries(wellFormed)) {
    t.equal(decodableTarget(target), path, target)
    t.notOk(isMalformed(target), target)
  }
})

t.test('a malformed target is escaped and recognized', async (t) => {
  for (const [target, path] of Object.entries(malformed)) {
    t.equal(decodableTarget(target), path, target)
    t.ok(isMalformed(target), target)
    t.doesNotThrow(() => decodeURIComponent(path))
  }
})

t.test('a Host is as valid when it is sent again', async (t) => {
  const isHost = hostCheck()
  for (const host of ['a b', 'a b', 'a.test:80', 'a.test:80', 'a b', 'a.test:80'])
    t.equal(isHost(host), host === 'a.test:80')
})

t.test('an absolute form has an authority', async (t) => {
  t.strictSame(splitTarget('http://x:80/a?b'), { authority: 'x:80', path: '/a?b' })
  t.strictSame(splitTarget('/http://x/'), { authority: undefined, path: '/http://x/' })
  t.strictSame(splitTarget('http://x'), { authority: 'x', path: '' })
})
