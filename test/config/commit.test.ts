import t from 'tap'
import { builtAt, builtCommit } from '../../config/commit.ts'

t.test('the commit is what the build recorded', async (t) => {
  const dir = t.testdir({ commit: '0123456789ab', none: '' })
  const at = (name: string) => builtCommit(new URL(`file://${dir}/${name}`))
  t.strictSame(['commit', 'none', 'missing'].map(at), ['0123456789ab', 'unknown', 'unknown'])
  t.ok(builtAt() > Date.parse('2026-01-01'), 'whatever the times of files are')
  t.match(builtCommit(), /^([0-9a-f]{12}|unknown)$/)
})
