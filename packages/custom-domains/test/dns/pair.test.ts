import t from 'tap'
import { parseName } from '../../src/dns/name.ts'
import { pairOf } from '../../src/dns/pair.ts'
import type { DomainName } from '../../src/state/domain.ts'

const pairAt = (typed: string, reserved: string[] = []) => pairOf(parseName(typed, reserved) as DomainName, reserved)

t.test('an apex and its www name are a pair, whichever is typed', async (t) => {
  const apexes = { 'example.com': ['example.com', 'WWW.Example.com.'], 'www.com': ['www.com', 'www.www.com'] }
  const others = { 'example.co.uk': ['https://www.example.co.uk/docs'], 'xn--bcher-kva.example': ['bücher.example'] }
  const suffixes = { 'someone.github.io': ['someone.github.io'], 'www.co.uk': ['www.co.uk'] }
  for (const [apex, names] of Object.entries({ ...apexes, ...others, ...suffixes }))
    for (const typed of names) {
      const pair = pairAt(typed)
      t.match(pair, { apex: { host: apex, kind: 'apex' }, www: { host: `www.${apex}`, label: 'www' } }, typed)
    }
})

t.test('no other name has a pair, nor one whose counterpart is reserved', async (t) => {
  for (const typed of ['docs.example.com', 'www.docs.example.com', 'www.www.example.com', 'www2.example.com'])
    t.equal(pairAt(typed), undefined, typed)
  t.equal(pairAt('example.com', ['www.example.com']), undefined, 'the platform')
  t.equal(pairAt('futurecms.at'), undefined, 'a public suffix: *.futurecms.at')
})
