import t from 'tap'
import { startDaemon } from 'test-kit/daemon'

t.test('a server that is missing, or exits before it is ready, fails the test, which ends', async (t) => {
  const options = { cwd: '.', isReady: () => false }
  await t.rejects(startDaemon(t, ['no-such-program'], options), { code: 'ENOENT' })
  await t.rejects(startDaemon(t, ['sh', '-c', 'echo no >&2; exit 3'], options), { message: 'sh exited with 3: no\n' })
})
