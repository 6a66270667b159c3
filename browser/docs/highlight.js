// Colors code: finds its tokens by a few rules a language. Only colors change, so nothing moves.

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/
const number = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?\b/
const words = (/** @type {string} */ list) => new RegExp(`(?<![\\w.-])(?:${list.replaceAll(' ', '|')})(?![\\w-])`)

/** @type {Record<string, Record<string, RegExp>>} The first rule that matches at a place wins. */
const grammars = {
  json: { key: /"(?:[^"\\]|\\.)*"(?=\s*:)/, string, number, keyword: words('true false null') },
  sh: {
    comment: /(?<=^|\s)#.*/,
    string,
    variable: /\$\w+/,
    key: /(?<=\s)--?[A-Za-z][\w-]*/,
    keyword: words('curl export npm pip go node python3'),
  },
  javascript: {
    comment: /\/\/.*/,
    string,
    number,
    keyword: words('import from export const let await async new return if else for of try catch throw function'),
  },
  python: {
    comment: /#.*/,
    string,
    number,
    keyword: words(
      'import from as with def return if else elif for in try except raise print not and or None True False',
    ),
  },
  go: {
    comment: /\/\/.*/,
    string,
    number,
    keyword: words('package import func return if else for range var const defer nil error string int64 struct'),
  },
}
const aliases = { curl: 'sh', bash: 'sh', shell: 'sh', js: 'javascript', ts: 'javascript', typescript: 'javascript' }
const longest = 100_000

/** @returns {[kind: string | undefined, text: string][]} */
export function tokensOf(/** @type {string} */ code, /** @type {string} */ language) {
  const grammar = grammars[aliases[language] ?? language]
  if (!grammar || code.length > longest) return [[undefined, code]]
  const rules = Object.entries(grammar).map(([kind, { source }]) => `(?<${kind}>${source})`)
  /** @type {[string | undefined, string][]} */
  const found = []
  let end = 0
  for (const { index, 0: text, groups = {} } of code.matchAll(new RegExp(rules.join('|'), 'gm'))) {
    if (index > end) found.push([undefined, code.slice(end, index)])
    found.push([Object.keys(groups).find((kind) => groups[kind] !== undefined), text])
    end = index + text.length
  }
  return [...found, [undefined, code.slice(end)]]
}

/** Colors the text of an element in place; the elements within it stay. */
export function highlight(/** @type {Element} */ element, /** @type {string} */ language) {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const tokens = tokensOf(element.textContent ?? '', language)
  let node = /** @type {Text | null} */ (nodes.nextNode())
  for (const [kind, text] of tokens) {
    for (let left = text.length; node && left > 0; ) {
      const part = node
      if (part.length > left) part.splitText(left)
      left -= part.length
      node = /** @type {Text | null} */ (nodes.nextNode())
      if (kind) color(part, kind, element)
    }
  }
}

/** An element within the code is part of a token as a whole, and keeps its color when its text changes. */
function color(/** @type {Text} */ text, /** @type {string} */ kind, /** @type {Element} */ code) {
  const parent = /** @type {Element} */ (text.parentElement)
  if (parent !== code) {
    parent.classList.add(`token-${kind}`)
    return
  }
  const span = document.createElement('span')
  span.className = `token-${kind}`
  text.replaceWith(span)
  span.append(text)
}
