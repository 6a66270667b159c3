import t from 'tap'
import { dashboardNotice, keyNotice } from '../../../config/keys/notices.ts'

t.test('the notice of a generated key has the key on its own line, and a command to try it', async (t) => {
  t.equal(
    keyNotice('the-key', 'http://127.0.0.1:3000'),
    `
No API key is configured. This one is valid for this run:

the-key

curl -H 'Authorization: Bearer the-key' http://127.0.0.1:3000/v1/store/orders

`,
  )
})

t.test('the notice of a generated dashboard key has the key on its own line, and where to use it', async (t) => {
  t.equal(
    dashboardNotice('the-key', 'http://127.0.0.1:3000'),
    `No key of the dashboard is configured. This one opens http://127.0.0.1:3000/dashboard for this run:

the-key

`,
  )
})
