import t from 'tap'
import { builtCommit } from '../../config/commit.ts'

t.test('the commit is what the build recorded', async (t) => {
  const dir = t.testdir({ commit: '0123456789ab', none: '' })
  const at = (name: string) => builtCommit(new URL(`file://${dir}/${name}`))
  t.strictSame(['commit', 'none', 'missing'].map(at), ['0123456789ab', 'unknown', 'unknown'])
  t.match(builtCommit(), /^([0-9a-f]{12}|unknown)$/)
})
