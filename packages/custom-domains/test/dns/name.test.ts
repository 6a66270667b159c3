import t from 'tap'
import { displayName, parseName } from '../../src/dns/name.ts'

const reserved = ['orders.platform.test', 'cname.platform.test']
const parse = (typed: string) => parseName(typed, reserved)

const named = (host: string, zone: string, label: string) => ({ host, kind: 'subdomain', zone, label })
const apex = (host: string) => ({ host, kind: 'apex', zone: host, label: '@' })

t.test('a name is split into its label and the registrable domain, which may be one for tests', async (t) => {
  t.strictSame(parse('docs.example.com'), named('docs.example.com', 'example.com', 'docs'))
  t.strictSame(parse('  Docs.EXAMPLE.com.\n'), named('docs.example.com', 'example.com', 'docs'))
  t.strictSame(parse('a.b.example.co.uk'), named('a.b.example.co.uk', 'example.co.uk', 'a.b'))
  t.strictSame(parse('docs.shop.test'), named('docs.shop.test', 'shop.test', 'docs'))
  // Every name below a private suffix belongs to someone else.
  for (const host of ['example.com', 'me.github.io', 'shop.example']) t.strictSame(parse(host), apex(host))
})

t.test('the host of a pasted URL is used', async (t) => {
  const ends = ['/guide', ':8443', '?a', '#top'].map((end) => `docs.example.com${end}`)
  const urls = ['https://docs.example.com/x', ' HTTP://me@Docs.example.com:8443/?a#b ', 'https://docs.example.com.']
  for (const typed of [...urls, ...ends]) t.match(parse(typed), { host: 'docs.example.com', label: 'docs' }, typed)
  t.match(parse('https://bücher.example/'), { host: 'xn--bcher-kva.example' })
})

t.test('an international name becomes ASCII, and is shown in Unicode', async (t) => {
  const host = 'docs.xn--bcher-kva.example'
  const name = named(host, 'xn--bcher-kva.example', 'docs')
  for (const typed of [host, 'docs.bücher.example', 'DOCS.BU\u0308CHER.example', 'docs。bücher。example'])
    t.strictSame(parse(typed), name, typed)
  t.equal(displayName(host), 'docs.bücher.example')
  t.equal(displayName('docs.example.com'), 'docs.example.com')
})

t.test('labels of 63 characters and names of 253 are accepted', async (t) => {
  const label = 'a'.repeat(63)
  const host = `${label}.${label}.${label}.${'b'.repeat(57)}.com`
  t.equal(host.length, 253)
  t.match(parse(host), { host, zone: `${'b'.repeat(57)}.com`, label: `${label}.${label}.${label}` })
})

const only = 'enter only the domain, such as docs.example.com.'
const example = 'such as docs.example.com.'
const own = 'belongs to this platform: enter a domain of your own.'
const label64 = 'a'.repeat(64)
const unissuable = ['local', 'localhost', 'internal', 'invalid', 'onion', 'arpa', 'lan', 'home', 'corp']

/** What is wrong with names, by its description. */
const invalidNames: Record<string, string[]> = {
  [`Enter a domain, ${example}`]: ['', ' '],
  [`Leave out ftp://: ${only}`]: ['ftp://docs.example.com/'],
  [`Leave out HTTP://: ${only}`]: ['HTTP://'],
  [`A wildcard cannot be used: enter one domain, ${example}`]: ['https://*.example.com/', '*.example.com'],
  [`An IP address cannot be used: enter a domain, ${example}`]: [
    ...['https://192.0.2.1/', '192.0.2.1', '192.0.2.1.', '1.2.3', '0x7f.1', '0X7F000001', '2130706433', '256.1.1.1'],
    ...['1.2.3.4.5', 'docs.example.0x', '１９２.0.2.1', '192。0。2。1', '::1', '2001:db8::1', '[2001:db8::1]'],
  ],
  [`A domain cannot start with a dot: ${only}`]: ['.example.com', '.'],
  'A domain cannot have two dots in a row.': ['docs..example.com', 'docs.example.com..'],
  'A domain cannot contain spaces.': ['docs example.com', 'docs.\texample.com', 'docs.example\u00a0.com'],
  'Each part between the dots must have 1 to 63 letters, digits or hyphens, and cannot start or end with a hyphen.': [
    ...[`${label64}.example.com`, '-docs.example.com', 'docs-.example.com', 'docs.example.com／guide'],
    ...['xn--a.example.com', 'docs.xn--zzzzz99.com', 'docs\u0000.example.com'],
  ],
  'A domain can have at most 253 characters.': [`${'ab.'.repeat(84)}com`],
  [`A domain has at least two parts separated by a dot, ${example}`]: ['localhost', 'docs'],
  ...Object.fromEntries(
    unissuable.map((end) => [
      `Certificates cannot be issued for names that end in .${end}.`,
      [`docs.${end}`, `docs.home.${end}`],
    ]),
  ),
  'co.uk is a public suffix: enter a domain of your own below it.': ['co.uk'],
  'github.io is a public suffix: enter a domain of your own below it.': ['github.io'],
  "platform.test contains this platform's own orders.platform.test: enter another domain.": ['platform.test'],
  [`orders.platform.test ${own}`]: ['orders.platform.test'],
  [`cname.platform.test ${own}`]: ['CNAME.platform.test.'],
  [`a.b.orders.platform.test ${own}`]: ['a.b.orders.platform.test'],
}
const misplaced = [
  '//docs.example.com',
  'me@example.com',
  'docs%2eexample.com',
  'docs\\example.com',
  '"docs.example.com"',
]
const quoted = [
  '“docs.example.com”',
  'docs.example.com,',
  '(docs.example.com)',
  "docs.example.com'",
  'my_docs.example.com/guide',
]
for (const name of [...misplaced, ...quoted, 'my_docs.example.com']) {
  const [character] = /[^a-z.]/.exec(name) ?? []
  const invalid = `A domain cannot contain "${character}": ${only}`
  invalidNames[invalid] = [...(invalidNames[invalid] ?? []), name]
}
const noSuchTop = 'Check the spelling: domains end in .com, .org, .io and the like.'
for (const [top, name] of Object.entries({ notatld: 'example.notatld', bücher: 'docs.example.bücher' }))
  invalidNames[`There is no top-level domain .${top}. ${noSuchTop}`] = [name]

t.test('a name that cannot be served is rejected with what is wrong', async (t) => {
  for (const [invalid, names] of Object.entries(invalidNames))
    for (const typed of names) t.strictSame(parse(typed), { invalid }, JSON.stringify(typed))
})

t.test("hosts that only resemble the platform's are accepted", async (t) => {
  t.match(parse('otherorders.platform.test'), { host: 'otherorders.platform.test' })
})
