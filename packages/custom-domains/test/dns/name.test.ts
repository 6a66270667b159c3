import t from 'tap'
import { displayName, parseName } from '../../src/dns/name.ts'

const reserved = ['orders.platform.test', 'cname.platform.test']
const parse = (typed: string) => parseName(typed, reserved)

t.test('a subdomain is split into its label and the registrable domain', async (t) => {
  const docs = { host: 'docs.example.com', kind: 'subdomain', zone: 'example.com', label: 'docs' }
  t.strictSame(parse('docs.example.com'), docs)
  t.strictSame(parse('  Docs.EXAMPLE.com.\n'), docs)
  const deep = { host: 'a.b.example.co.uk', kind: 'subdomain', zone: 'example.co.uk', label: 'a.b' }
  t.strictSame(parse('a.b.example.co.uk'), deep)
})

t.test('a registrable domain is an apex', async (t) => {
  t.strictSame(parse('example.com'), { host: 'example.com', kind: 'apex', zone: 'example.com', label: '@' })
  // Every name below a private suffix belongs to someone else.
  t.strictSame(parse('me.github.io'), { host: 'me.github.io', kind: 'apex', zone: 'me.github.io', label: '@' })
})

t.test('the host of a pasted URL is used', async (t) => {
  for (const typed of [
    'https://docs.example.com/x',
    ' HTTP://me@Docs.example.com:8443/?a#b ',
    'https://docs.example.com.',
    'docs.example.com/guide',
    'docs.example.com:8443',
    'docs.example.com?a',
    'docs.example.com#top',
  ]) {
    t.match(parse(typed), { host: 'docs.example.com', label: 'docs' }, typed)
  }
  t.match(parse('https://bücher.example/'), { host: 'xn--bcher-kva.example' })
})

t.test('a top-level domain that does not exist is rejected', async (t) => {
  const hint = 'Check the spelling: domains end in .com, .org, .io and the like.'
  t.strictSame(parse('example.notatld'), { invalid: `There is no top-level domain .notatld. ${hint}` })
  t.strictSame(parse('docs.example.bücher'), { invalid: `There is no top-level domain .bücher. ${hint}` })
})

t.test('top-level domains reserved for tests have registrable domains, too', async (t) => {
  t.strictSame(parse('docs.shop.test'), { host: 'docs.shop.test', kind: 'subdomain', zone: 'shop.test', label: 'docs' })
  t.strictSame(parse('shop.example'), { host: 'shop.example', kind: 'apex', zone: 'shop.example', label: '@' })
})

t.test('an international name becomes ASCII, and is shown in Unicode', async (t) => {
  const host = 'docs.xn--bcher-kva.example'
  const name = { host, kind: 'subdomain', zone: 'xn--bcher-kva.example', label: 'docs' }
  for (const typed of [host, 'docs.bücher.example', 'DOCS.BU\u0308CHER.example', 'docs。bücher。example']) {
    t.strictSame(parse(typed), name, typed)
  }
  t.equal(displayName(host), 'docs.bücher.example')
  t.equal(displayName('docs.example.com'), 'docs.example.com')
})

t.test('labels of 63 characters and names of 253 are accepted', async (t) => {
  const label = 'a'.repeat(63)
  const host = `${label}.${label}.${label}.${'b'.repeat(57)}.com`
  t.equal(host.length, 253)
  t.match(parse(host), { host, zone: `${'b'.repeat(57)}.com`, label: `${label}.${label}.${label}` })
})

const ip = 'An IP address cannot be used: enter a domain, such as docs.example.com.'
const only = 'enter only the domain, such as docs.example.com.'
const part =
  'Each part between the dots must have 1 to 63 letters, digits or hyphens, and cannot start or end with a hyphen.'
const label64 = 'a'.repeat(64)

const invalidNames: Record<string, Record<string, string>> = {
  'texts that are not domain names': {
    '': 'Enter a domain, such as docs.example.com.',
    ' ': 'Enter a domain, such as docs.example.com.',
    'ftp://docs.example.com/': 'Leave out ftp://: enter only the domain, such as docs.example.com.',
    'HTTP://': 'Leave out HTTP://: enter only the domain, such as docs.example.com.',
    'https://*.example.com/': 'A wildcard cannot be used: enter one domain, such as docs.example.com.',
    'https://192.0.2.1/': ip,
    '*.example.com': 'A wildcard cannot be used: enter one domain, such as docs.example.com.',
    '//docs.example.com': `A domain cannot contain "/": ${only}`,
    'me@example.com': `A domain cannot contain "@": ${only}`,
    'docs%2eexample.com': `A domain cannot contain "%": ${only}`,
    'docs\\example.com': `A domain cannot contain "\\": ${only}`,
    '"docs.example.com"': `A domain cannot contain """: ${only}`,
    '“docs.example.com”': `A domain cannot contain "“": ${only}`,
    'docs.example.com,': `A domain cannot contain ",": ${only}`,
    '(docs.example.com)': `A domain cannot contain "(": ${only}`,
    'my_docs.example.com/guide': `A domain cannot contain "_": ${only}`,
    '.example.com': `A domain cannot start with a dot: ${only}`,
    'docs..example.com': 'A domain cannot have two dots in a row.',
    'docs example.com': 'A domain cannot contain spaces.',
    'docs.\texample.com': 'A domain cannot contain spaces.',
    'docs.example\u00a0.com': 'A domain cannot contain spaces.',
  },
  'IP addresses in every form': {
    '192.0.2.1': ip,
    '192.0.2.1.': ip,
    '1.2.3': ip,
    '0x7f.1': ip,
    '0X7F000001': ip,
    '2130706433': ip,
    '256.1.1.1': ip,
    '1.2.3.4.5': ip,
    'docs.example.0x': ip,
    '１９２.0.2.1': ip,
    '192。0。2。1': ip,
    '::1': ip,
    '2001:db8::1': ip,
    '[2001:db8::1]': ip,
  },
  'labels and lengths that DNS does not allow': {
    [`${label64}.example.com`]: part,
    'docs.example.com..': 'A domain cannot have two dots in a row.',
    '.': `A domain cannot start with a dot: ${only}`,
    '-docs.example.com': part,
    'docs-.example.com': part,
    'my_docs.example.com': `A domain cannot contain "_": ${only}`,
    "docs.example.com'": `A domain cannot contain "'": ${only}`,
    'docs.example.com／guide': part,
    'xn--a.example.com': part,
    'docs.xn--zzzzz99.com': part,
    'docs\u0000.example.com': part,
    [`${'ab.'.repeat(84)}com`]: 'A domain can have at most 253 characters.',
  },
  'names for which no certificate can be issued': {
    localhost: 'A domain has at least two parts separated by a dot, such as docs.example.com.',
    docs: 'A domain has at least two parts separated by a dot, such as docs.example.com.',
    ...Object.fromEntries(
      ['local', 'localhost', 'internal', 'invalid', 'onion', 'arpa', 'lan', 'home', 'corp'].map((suffix) => [
        `docs.${suffix}`,
        `Certificates cannot be issued for names that end in .${suffix}.`,
      ]),
    ),
    'docs.home.arpa': 'Certificates cannot be issued for names that end in .arpa.',
  },
  'public suffixes': {
    'co.uk': 'co.uk is a public suffix: enter a domain of your own below it.',
    'github.io': 'github.io is a public suffix: enter a domain of your own below it.',
  },
  "the parents of the platform's own hosts": {
    'platform.test': "platform.test contains this platform's own orders.platform.test: enter another domain.",
  },
  "the platform's own hosts and all below them": {
    'orders.platform.test': 'orders.platform.test belongs to this platform: enter a domain of your own.',
    'CNAME.platform.test.': 'cname.platform.test belongs to this platform: enter a domain of your own.',
    'a.b.orders.platform.test': 'a.b.orders.platform.test belongs to this platform: enter a domain of your own.',
  },
}

for (const [what, cases] of Object.entries(invalidNames)) {
  t.test(`${what} are rejected`, async (t) => {
    for (const [typed, invalid] of Object.entries(cases)) t.strictSame(parse(typed), { invalid }, JSON.stringify(typed))
  })
}

t.test("hosts that only resemble the platform's are accepted", async (t) => {
  t.match(parse('otherorders.platform.test'), { host: 'otherorders.platform.test' })
})
