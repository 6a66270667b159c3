import t from 'tap'
import { type Pair, pairOf } from '../../src/dns/pair.ts'
import type { Redirect } from '../../src/state/domain.ts'
import { emptySnapshot } from '../../src/state/snapshot.ts'
import { pairChoicesOf } from '../../src/texts/pair-choices.ts'
import { domainOf } from '../fixtures/domains.ts'

const { apex, www } = pairOf(domainOf('example.com').name, []) as Pair

interface Known {
  primary?: string
  domains?: string[]
  redirects?: [string, Redirect][]
}

function choices(name: typeof apex, { primary, domains = [], redirects = [] }: Known = {}) {
  const known = new Map(domains.map((host) => [host, domainOf(host)]))
  return pairChoicesOf(
    name,
    { apex, www },
    { ...emptySnapshot, primary, domains: known, redirects: new Map(redirects) },
  )
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
  t.strictSame(choices(www), {
    question: 'Add example.com as well?',
    choices: [recommended(toWww), fromWww, onlyWww],
  })
})

t.test('the redirect to the existing domain is recommended', async (t) => {
  t.strictSame(choices(apex, { domains: [www.host] }), {
    question: 'www.example.com has already been added. Set a redirect?',
    choices: [recommended(toWww), fromWww, onlyApex],
  })
  t.strictSame(choices(www, { domains: [apex.host] }), {
    question: 'example.com has already been added. Set a redirect?',
    choices: [recommended(fromWww), toWww, onlyWww],
  })
})

t.test('the primary domain is offered only as the target', async (t) => {
  t.strictSame(choices(www, { primary: apex.host, domains: [apex.host] }).choices, [fromWww, onlyWww])
  t.strictSame(choices(apex, { primary: www.host, domains: [www.host] }).choices, [toWww, onlyApex])
})

t.test('if another domain is the primary one, redirecting both there is recommended', async (t) => {
  const primary = 'docs.xn--bcher-kva.test'
  const target = 'docs.bücher.test, the primary domain'
  const both = { pair: 'to-primary', text: `Yes: example.com and www.example.com redirect to ${target} (recommended)` }
  const apexAlone = { ...toWww, note: 'www.example.com serves a copy of the documentation.' }
  const wwwAlone = { ...fromWww, note: 'example.com serves a copy of the documentation.' }
  t.strictSame(choices(apex, { primary, domains: [primary] }).choices, [both, apexAlone, wwwAlone, onlyApex])
  const redirecting = choices(apex, {
    primary,
    domains: [primary, www.host],
    redirects: [[www.host, { to: primary, status: 308 }]],
  })
  t.strictSame(redirecting.choices, [both, wwwAlone, onlyApex])
})
