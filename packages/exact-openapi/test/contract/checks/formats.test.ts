// Formats that ajv-formats lacks, or reads otherwise. JSON-Schema-Test-Suite has more of them.
import t from 'tap'
import { formats } from '../../../src/contract/checks/formats.ts'

const moments: [valid: string[], wrong: string[]] = [
  ['23:59:60Z', '23:59:59.999999999999999Z', '01:29:60+01:30', '15:59:60.5-08:00', '22:29:60-01:30', '00:29:60+00:30'],
  ['24:00:00Z', '24:59:60+01:00', '23:60:00Z', '12:00:60Z', '12:00:00+24:00', '12:00:00-00:60', '12:00:00'],
]
const dates = (texts: readonly string[]) => texts.map((text) => `2026-01-01T${text}`)

const cases: Record<string, [valid: string[], wrong: string[]]> = {
  time: moments,
  'date-time': [dates(moments[0]), [...dates(moments[1]), '2026-02-30T12:00:00Z', '2026-01-01\n12:00:00Z']],
  email: [
    ['a@example.com', '"a b"@example.com', 'a@[192.0.2.1]', 'a@[IPv6:::1]'],
    ['2962', '@', 'a b@example.com', '"a"b"@example.com', 'a@[::1]', 'a@[IPv6:192.0.2.1]', 'a@[]'],
  ],
  'idn-email': [['실례@실례.테스트'], ['실례']],
  uri: [
    ['http://a:b@example.com:80/c', 'urn:a:b', 'http://[::1]', 'file:///a'],
    ['http://2001:0db8:85a3', '/a', 'a b:c'],
  ],
  iri: [['http://ƒøø.ßår/?∂éœ=πîx#πîüx'], ['/é', '\\\\é', 'http://é:b:c', 'http://\ud800']],
  'iri-reference': [
    ['/é', '//é.example/?é=b'],
    ['\\\\é', '/\udc00'],
  ],
  regex: [
    ['^a$', '\\p{L}'],
    ['(', '\\a'],
  ],
}

for (const [name, [valid, wrong]] of Object.entries(cases)) {
  t.test(name, async (t) => {
    for (const text of valid) t.equal(formats[name]?.(text), true, text)
    for (const text of wrong) t.equal(formats[name]?.(text), false, JSON.stringify(text))
  })
}
