import t from 'tap'
import { pairChoicesOf } from '../../domains/pair-choices.ts'

const [apex, www] = ['example.com', 'www.example.com'] as const

interface Known {
  primary?: string
  added?: string[]
  redirecting?: string[]
}

function choices(host: string, { primary, added = [], redirecting = [] }: Known = {}) {
  const find = (name: string) =>
    added.includes(name) ? { ...(redirecting.includes(name) && { redirect: {} }) } : undefined
  return pairChoicesOf({ host, counterpart: host === apex ? www : apex }, { primary, find })
}

const toWww = { pair: 'to-www', text: 'Yes: example.com redirects to www.example.com' } as const
const fromWww = { pair: 'from-www', text: 'Yes: www.example.com redirects to example.com' } as const
const onlyApex = { text: 'No, only example.com' }
const onlyWww = { text: 'No, only www.example.com' }
const recommended = <Choice extends { text: string }>(choice: Choice) => ({
  ...choice,
  text: `${choice.text} (recommended)`,
})

t.test('the redirect to the www name is recommended, whichever of the two is typed', async (t) => {
  t.strictSame(choices(apex), {
    question: 'Add www.example.com as well?',
    choices: [recommended(toWww), fromWww, onlyApex],
  })
  t.strictSame(choices(www), { question: 'Add example.com as well?', choices: [recommended(toWww), fromWww, onlyWww] })
})

t.test('the redirect to the existing domain is recommended', async (t) => {
  t.strictSame(choices(apex, { added: [www] }), {
    question: 'www.example.com has already been added. Set a redirect?',
    choices: [recommended(toWww), fromWww, onlyApex],
  })
  t.strictSame(choices(www, { added: [apex] }), {
    question: 'example.com has already been added. Set a redirect?',
    choices: [recommended(fromWww), toWww, onlyWww],
  })
})

t.test('the primary domain is offered only as the target', async (t) => {
  t.strictSame(choices(www, { primary: apex, added: [apex] }).choices, [fromWww, onlyWww])
  t.strictSame(choices(apex, { primary: www, added: [www] }).choices, [toWww, onlyApex])
})

t.test('if another domain is the primary one, redirecting both there is recommended', async (t) => {
  const primary = 'docs.xn--bcher-kva.test'
  const target = 'docs.bücher.test, the primary domain'
  const both = { pair: 'to-primary', text: `Yes: example.com and www.example.com redirect to ${target} (recommended)` }
  const apexAlone = { ...toWww, note: 'www.example.com serves a copy of the documentation.' }
  const wwwAlone = { ...fromWww, note: 'example.com serves a copy of the documentation.' }
  t.strictSame(choices(apex, { primary, added: [primary] }).choices, [both, apexAlone, wwwAlone, onlyApex])
  const known = { primary, added: [primary, www], redirecting: [www] }
  t.strictSame(choices(apex, known).choices, [both, wwwAlone, onlyApex])
})
