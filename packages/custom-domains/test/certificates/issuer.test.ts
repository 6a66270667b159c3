import t from 'tap'
import { IssueError } from '../../src/certificates/issuer.ts'

t.test('an error has a problem, its detail as the message, and a wait', async (t) => {
  const limited = new IssueError({ code: 'rate_limited', detail: 'Too many.' }, 60_000)
  t.match(limited, {
    message: 'Too many.',
    problem: { code: 'rate_limited', detail: 'Too many.' },
    retryAfterMs: 60_000,
  })
  const blocked = new IssueError({ code: 'caa_blocks', level: 'docs.example.com', found: [], expected: '' })
  t.match(blocked, { message: 'caa_blocks', retryAfterMs: 0 })
})
