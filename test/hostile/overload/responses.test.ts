import t from 'tap'
import { countOf, unjustRejections } from './responses.js'

const LIMIT_MS = 250
const fast = { status: 200, at: 900, ms: 20 }
const slow = { status: 200, at: 800, ms: 300 }
const rejected = { status: 503, at: 1000, ms: 5 }

t.test('a rejection is unjust unless a response took long at the time', async (t) => {
  t.equal(unjustRejections([fast, rejected], LIMIT_MS), 1)
  t.equal(unjustRejections([fast, slow, rejected], LIMIT_MS), 0)
  t.equal(unjustRejections([{ ...slow, at: 0 }, rejected], LIMIT_MS), 1, 'long before')
  t.equal(unjustRejections([{ ...slow, at: 1010 }, rejected], LIMIT_MS), 1, 'later')
  t.equal(unjustRejections([{ ...slow, status: 503 }, rejected], LIMIT_MS), 2, 'only complete responses count')
  t.equal(countOf([fast, slow, rejected], 200), 2)
})
