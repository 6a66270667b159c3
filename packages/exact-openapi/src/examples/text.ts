// A text of a schema: in its format, of its pattern, and as long as it has to be.
import type { Schema } from '../model/index.ts'

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

/** @param demands all schemas that it has to fit */
export function textOf(demands: readonly Schema[]): string {
  const format = demands.map((one) => one.format).find((one) => one !== undefined)
  const patterns = demands.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))
  const least = Math.max(0, ...demands.map(({ minLength = 0 }) => minLength))
  const most = Math.min(...demands.map(({ maxLength = Number.POSITIVE_INFINITY }) => maxLength))
  const usual = formats[format ?? ''] ?? fitted('string', least, most)
  if (patterns.length === 0) return usual
  const expressions = patterns.flatMap((pattern) => compiled(pattern) ?? [])
  const candidates = [usual, ...patterns.map((pattern) => generated(pattern, least)), ...Object.values(formats)]
  const fits = (text: string) =>
    text.length >= least && text.length <= most && expressions.every((expression) => expression.test(text))
  return candidates.find((text) => text !== undefined && fits(text)) ?? usual
}

const fitted = (text: string, least: number, most: number) =>
  text.repeat(Math.ceil(least / text.length) || 1).slice(0, Math.min(most, Math.max(least, text.length)))

/** @returns undefined for one that is no regular expression, which nothing checks */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern)
  } catch {
    return undefined
  }
}

/** How often what a pattern repeats at will is there. */
const FEW = 1

/** A text of a pattern without assertions; undefined for one that is not understood. @param least its length, if that is up to the pattern */
function generated(pattern: string, least: number): string | undefined {
  try {
    const short = new Writer(pattern, FEW).text()
    return short.length >= least ? short : new Writer(pattern, least).text()
  } catch {
    return undefined
  }
}

/** Reads the syntax of ECMA-262 and writes the first text that it describes. */
class Writer {
  readonly #pattern: string
  readonly #few: number
  #at = 0

  constructor(pattern: string, few: number) {
    this.#pattern = pattern
    this.#few = few
  }

  text(): string {
    const text = this.#alternatives()
    if (this.#at < this.#pattern.length) throw new Error('an unpaired parenthesis')
    return text
  }

  /** The first of them; the others are read, too. */
  #alternatives(): string {
    const first = this.#sequence()
    while (this.#takes('|')) this.#sequence()
    return first
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
    if (character === '.') return 'a'
    if (character === '[') return this.#class()
    if (character === '\\') return escaped(this.#take())
    if (character !== '(') return character
    const [kind = ''] = /^\?(?::|<[^=!>][^>]*>)|^\?/.exec(this.#pattern.slice(this.#at)) ?? []
    if (kind === '?') throw new Error('an assertion')
    this.#at += kind.length
    const text = this.#alternatives()
    this.#at++
    return text
  }

  /** The first character of a class. */
  #class(): string {
    const isNegated = this.#takes('^')
    const [members] = /^(?:\\.|[^\]])*/.exec(this.#pattern.slice(this.#at)) as RegExpExecArray
    this.#at += members.length + 1
    const regExp = new RegExp(`[${isNegated ? '^' : ''}${members}]`)
    const all = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
    const usual = [...'a1A', ...all].find((character) => regExp.test(character))
    if (usual === undefined) throw new Error('a class of other characters')
    return usual
  }

  #count(): number {
    const rest = this.#pattern.slice(this.#at)
    const [whole = '', least, most] = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(rest) ?? []
    this.#at += whole.length
    if (whole === '') return 1
    if (least === undefined) return whole.startsWith('?') ? 1 : Math.max(1, this.#few)
    return Math.max(Number(least), most === undefined ? 0 : Math.min(this.#few, Number(most || this.#few)))
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

function escaped(character: string): string {
  if (/[bB]/.test(character)) return ''
  if (/[1-9pPkucx]/.test(character)) throw new Error('another escape')
  const usual: Record<string, string> = { d: '1', D: 'a', w: 'a', W: '-', s: ' ', S: 'a', n: '\n', t: '\t', r: '\r' }
  return usual[character] ?? character
}
