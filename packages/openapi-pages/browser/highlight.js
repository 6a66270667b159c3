// Colors code: of the page on the server, and of what scripts add to it.

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/
const number = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?\b/
const words = (/** @type {string} */ list) => new RegExp(`(?<![\\w.-])(?:${list.replaceAll(' ', '|')})(?![\\w-])`)

const cLike = (/** @type {string} */ list) => ({ quiet: /(?<!:)\/\/.*/, string, number, word: words(list) })
const hashLike = (/** @type {string} */ list) => ({ ...cLike(list), quiet: /#.*/ })

/** @type {Record<string, Record<string, RegExp>>} The first rule that matches at a place wins. */
const grammars = {
  json: { key: /"(?:[^"\\]|\\.)*"(?=\s*:)/, string, number, word: words('true false null') },
  sh: {
    quiet: /(?<=^|\s)#.*/,
    break: / \\$/,
    string: /"(?:[^"\\]|\\.)*"|'[^']*'/,
    variable: /\$\w+/,
    key: /(?<=\s)--?[A-Za-z][\w-]*/,
    word: words('curl export npm pip go node python3'),
  },
  bat: { string: /\^"(?:\\\^"|[^"])*\^"/, variable: /%\w+%/, key: /(?<=\s)--?[A-Za-z][\w-]*/, word: words('curl') },
  powershell: {
    ...hashLike(''),
    string: /"[^"]*"|'(?:[^']|'')*'/,
    variable: /[$@][\w:]+/,
    word: words('Invoke-WebRequest'),
  },
  javascript: cLike('import from export const let await async new return if else for of try catch throw function'),
  python: hashLike(
    'import from as with def return if elif else for in try except raise print not and or None True False',
  ),
  go: cLike('package import func return if else for range var const defer nil error string int64 struct'),
  php: { ...cLike('if throw new true false echo'), variable: /\$\w+/ },
  ruby: hashLike('require puts do end'),
  java: cLike('import public class static void throws var new'),
  csharp: cLike('using var new await int'),
}
/** @type {Record<string, string>} */
const aliases = { curl: 'sh', bash: 'sh', shell: 'sh', js: 'javascript', ts: 'javascript' }

/** Their texts, joined, are the code. @returns {[kind: string | undefined, text: string][]} */
export function tokensOf(/** @type {string} */ code, /** @type {string} */ name) {
  const language = aliases[name] ?? name
  const rules = Object.entries(grammars[language] ?? {})
  if (rules.length === 0) return [[undefined, code]]
  const pattern = rules.map(([kind, { source }]) => `(?<${kind}>${source})`).join('|')
  /** @type {[string | undefined, string][]} */
  const tokens = []
  let end = 0
  for (const { index, 0: text, groups = {} } of code.matchAll(new RegExp(pattern, 'gm'))) {
    if (index > end) tokens.push([undefined, code.slice(end, index)])
    const kind = Object.keys(groups).find((kind) => groups[kind] !== undefined)
    if (kind === 'string' && language === 'sh') tokens.push(...partsOfArgument(text))
    else tokens.push([kind, text])
    end = index + text.length
  }
  return [...tokens, [undefined, code.slice(end)]]
}

/** JSON, or a text with variables. @returns {[kind: string | undefined, text: string][]} */
function partsOfArgument(/** @type {string} */ text) {
  if (/^'\s*[{[]/.test(text)) return tokensOf(text, 'json').map(([kind = 'quiet', part]) => [kind, part])
  if (text[0] !== '"') return [['string', text]]
  return text.split(/(\$\w+)/).map((part, at) => [at % 2 === 1 ? 'variable' : 'string', part])
}

/**
 * A line keeps its break; one that is too long goes on below itself, by its indentation and four characters in.
 * @returns {{ className: string, tokens: [kind: string | undefined, text: string][] }[]}
 */
export function linesOf(/** @type {string} */ code, /** @type {string} */ language) {
  /** @type {[string | undefined, string][][]} */
  const lines = [[]]
  for (const [kind, text] of tokensOf(code, language)) {
    for (const [at, part] of text.split(/(?<=\n)/).entries()) {
      if (at > 0 || lines.at(-1)?.at(-1)?.[1].endsWith('\n')) lines.push([])
      if (part !== '') lines.at(-1)?.push([/\S/.test(part) ? kind : undefined, part])
    }
  }
  return lines.map((tokens) => ({ className: classOf(tokens.map(([, text]) => text).join('')), tokens }))
}

/** Where an address may break: before what a slash begins. Other code breaks at its spaces. */
export const piecesOf = (/** @type {string} */ text, isAddress = text.includes('://')) =>
  isAddress ? text.split(/(?<=:\/\/)|(?<=[^:/\s'"])(?=[/?&][^/\s'"])/) : [text]

/** By its depth, and whether it is a long word, which has no place to break. */
function classOf(/** @type {string} */ line) {
  const [, indent = '', text = ''] = /** @type {RegExpExecArray} */ (/^([ \t]*)(.*?)(?: \\)?\n?$/s.exec(line))
  const depth = Math.min(DEEPEST, Math.floor(indent.replaceAll('\t', '  ').length / 2))
  const isLongWord = text.length > LONGEST_WORD && !/\s|:\/\//.test(text)
  return `l${depth > 0 ? ` i${depth}` : ''}${isLongWord ? ' u' : ''}`
}

/** The style sheet knows no deeper lines. */
const DEEPEST = 8
const LONGEST_WORD = 30
