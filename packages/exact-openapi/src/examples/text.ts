// A text of a schema: in its format, of its pattern, and as long as it has to be.
import { isPattern, patternOf, type Schema } from '../model/index.ts'

const formats: Record<string, string> = {
  byte: 'aGVsbG8=',
  date: '2026-10-05',
  'date-time': '2026-10-05T09:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  hostname: 'example.com',
  'idn-email': 'user@example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  iri: 'https://example.com',
  'iri-reference': '/path',
  'json-pointer': '/path',
  regex: '^text$',
  'relative-json-pointer': '0',
  time: '09:00:00Z',
  uri: 'https://example.com',
  'uri-reference': '/path',
  'uri-template': 'https://example.com/{id}',
  url: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
}

/** So many texts are tried for a pattern, with each of a few counts of what it repeats. */
const VARIANTS = 27

/** Texts that may fit, the usual one first. @param demands all schemas that it has to fit */
export function* textsOf(demands: readonly Schema[]): Generator<string> {
  const names = demands.flatMap(({ format = '' }) => (Object.hasOwn(formats, format) ? [format] : []))
  const least = Math.max(0, ...demands.map(({ minLength = 0 }) => minLength))
  const most = Math.min(...demands.map(({ maxLength = Number.POSITIVE_INFINITY }) => maxLength))
  const patterns = demands.flatMap(({ pattern }) => (pattern === undefined || !isPattern(pattern) ? [] : [pattern]))
  for (const name of names) yield String(formats[name])
  yield fitted('string', least, most)
  const counts = new Set([1, 0, 2, least, Math.min(most, least + 4)])
  for (let variant = 0; patterns.length > 0 && variant < VARIANTS; variant++) {
    for (const count of counts) for (const pattern of patterns) yield* generated(pattern, { count, variant, least })
  }
  yield* Object.values(formats)
  for (let at = 1; at < OTHERS; at++) yield numbered('string', at, least, most)
  for (const name of names) for (let at = 1; at < OTHERS; at++) yield* variedIn(name, at)
}

/** So many others without a pattern. */
const OTHERS = 12

const fitted = (text: string, least: number, most: number) =>
  text.repeat(Math.ceil(least / text.length) || 1).slice(0, Math.min(most, Math.max(least, text.length)))

/** Another text of the same length, as far as that can be. */
const numbered = (text: string, at: number, least: number, most: number) =>
  `${fitted(text, least, most - 1)}${at.toString(36)}`.slice(-Math.max(least, Math.min(most, text.length + 1)))

/** Others of the same format: with another last digit, or another name. */
function* variedIn(name: string, at: number): Generator<string> {
  const usual = String(formats[name])
  yield usual.replace(/\d(?=\D*$)/, String(at % 10))
  // Four more letters: a whole group of base64.
  yield usual.replace(/example|user|path|text|aGVs/, (word) => `${word}${word.slice(0, 3)}${'abcdefghijkl'[at]}`)
}

interface Wanted {
  /** How often what the pattern repeats at will is there. */
  count: number
  variant: number
  /** The shortest length: a pattern that is not anchored leaves room for more. */
  least: number
}

/** Texts of a pattern without assertions; none of one that is not understood. */
function* generated(pattern: string, { count, variant, least }: Wanted): Generator<string> {
  let text: string
  try {
    text = new Writer(pattern, count, variant).alternatives()
  } catch {
    return
  }
  yield text
  if (text.length < least) yield* [text.padEnd(least, 'a'), text.padStart(least, 'a')]
}

/** Reads the syntax of ECMA-262 and writes a text that it describes: another one for each variant. */
class Writer {
  readonly #pattern: string
  readonly #few: number
  readonly #variant: number
  #at = 0
  /** Each quantifier has counts of its own. */
  #quantifiers = 0

  constructor(pattern: string, few: number, variant: number) {
    this.#pattern = pattern
    this.#few = few
    this.#variant = variant
  }

  /** One of them; the others are read, too. */
  alternatives(): string {
    const all = [this.#sequence()]
    while (this.#takes('|')) all.push(this.#sequence())
    return String(all[this.#variant % all.length])
  }

  #sequence(): string {
    let text = ''
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#next())) {
      const one = this.#atom()
      text += one.repeat(this.#count())
    }
    return text
  }

  #atom(): string {
    const character = this.#take()
    if (character === '^' || character === '$') return ''
    if (character === '.') return this.#oneOf('abc1')
    if (character === '[') return this.#class()
    if (character === '\\') return this.#escaped()
    if (character !== '(') return character
    const [kind = ''] = /^\?(?::|<[^=!>][^>]*>)|^\?/.exec(this.#pattern.slice(this.#at)) ?? []
    if (kind === '?') throw new Error('an assertion')
    this.#at += kind.length
    const text = this.alternatives()
    this.#at++
    return text
  }

  #oneOf = (characters: string) => characters.charAt(this.#variant % characters.length)

  /** A character of a class. */
  #class(): string {
    const isNegated = this.#takes('^')
    const [members] = /^(?:\\.|[^\]])*/.exec(this.#pattern.slice(this.#at)) as RegExpExecArray
    this.#at += members.length + 1
    return this.#matching(`[${isNegated ? '^' : ''}${members}]`)
  }

  #matching(source: string): string {
    const regExp = patternOf(source)
    const usual = characters.filter((character) => regExp.test(character))
    if (usual.length === 0) throw new Error('a class of other characters')
    return this.#oneOf(usual.join(''))
  }

  #escaped(): string {
    const [hex] = /^(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\})/i.exec(this.#pattern.slice(this.#at)) ?? []
    if (hex) {
      this.#at += hex.length
      return String.fromCodePoint(Number.parseInt(hex.replace(/[^\da-f]|^./gi, ''), 16))
    }
    const [property] = /^p\{[^}]*\}/i.exec(this.#pattern.slice(this.#at)) ?? []
    if (property) {
      this.#at += property.length
      return this.#matching(`\\${property}`)
    }
    const character = this.#take()
    if (/[bB]/.test(character)) return ''
    if (/[1-9kc]/.test(character)) throw new Error('another escape')
    if (/[dDwWsS]/.test(character)) return this.#matching(`\\${character}`)
    return { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' }[character] ?? character
  }

  #count(): number {
    const rest = this.#pattern.slice(this.#at)
    const [whole = '', exact, most] = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(rest) ?? []
    this.#at += whole.length
    if (whole === '') return 1
    if (exact !== undefined && most === undefined) return Number(exact)
    const few = this.#few + (Math.floor(this.#variant / 3 ** this.#quantifiers++) % 3)
    const least = exact === undefined ? Number(whole.startsWith('+')) : Number(exact)
    return Math.max(least, Math.min(few, whole.startsWith('?') ? 1 : Number(most || few)))
  }

  #next = () => this.#pattern.charAt(this.#at)

  #take(): string {
    return this.#pattern.charAt(this.#at++)
  }

  #takes(character: string): boolean {
    const isNext = this.#next() === character
    if (isNext) this.#at++
    return isNext
  }
}

/** Of ASCII, and a few others; the usual ones first. */
const characters = [
  ...'a1Abc23BCd4D',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...'éßñ中あ\n',
]
