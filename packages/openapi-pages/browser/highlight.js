// Colors code: of the page on the server, and of what scripts add to it.

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/
const number = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?\b/
const words = (/** @type {string} */ list) => new RegExp(`(?<![\\w.-])(?:${list.replaceAll(' ', '|')})(?![\\w-])`)

const cLike = (/** @type {string} */ list) => ({ comment: /(?<!:)\/\/.*/, string, number, keyword: words(list) })
const hashLike = (/** @type {string} */ list) => ({ ...cLike(list), comment: /#.*/ })

/** @type {Record<string, Record<string, RegExp>>} The first rule that matches at a place wins. */
const grammars = {
  json: { key: /"(?:[^"\\]|\\.)*"(?=\s*:)/, string, number, keyword: words('true false null') },
  sh: {
    comment: /(?<=^|\s)#.*/,
    string: /"(?:[^"\\]|\\.)*"|'[^']*'/,
    variable: /\$\w+/,
    key: /(?<=\s)--?[A-Za-z][\w-]*/,
    keyword: words('curl export npm pip go node python3'),
  },
  bat: { string: /\^"(?:\\\^"|[^"])*\^"/, variable: /%\w+%/, key: /(?<=\s)--?[A-Za-z][\w-]*/, keyword: words('curl') },
  powershell: {
    ...hashLike(''),
    string: /"[^"]*"|'(?:[^']|'')*'/,
    variable: /[$@][\w:]+/,
    keyword: words('Invoke-WebRequest'),
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
export function tokensOf(/** @type {string} */ code, /** @type {string} */ language) {
  const rules = Object.entries(grammars[aliases[language] ?? language] ?? {})
  if (rules.length === 0) return [[undefined, code]]
  const pattern = rules.map(([kind, { source }]) => `(?<${kind}>${source})`).join('|')
  /** @type {[string | undefined, string][]} */
  const tokens = []
  let end = 0
  for (const { index, 0: text, groups = {} } of code.matchAll(new RegExp(pattern, 'gm'))) {
    if (index > end) tokens.push([undefined, code.slice(end, index)])
    tokens.push([Object.keys(groups).find((kind) => groups[kind] !== undefined), text])
    end = index + text.length
  }
  return [...tokens, [undefined, code.slice(end)]]
}
