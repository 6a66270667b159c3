// Blocks of code, colored, with a button that copies them. The base URL within them is marked: scripts replace it.
import { exampleServer } from '../../server.ts'
import { type Html, html } from './markup.ts'

/** `lang` becomes a class: `language-sh`. `what` tells the button from others: `the example of Order`. */
export function codeBlock(text: string, lang: string, what: string): Html {
  const language = lang.toLowerCase()
  const tokens = tokensOf(text.trimEnd(), language).map(([kind, token]) =>
    kind === undefined ? withBaseUrl(token) : html`<span class="token-${kind}">${withBaseUrl(token)}</span>`,
  )
  return html`<div class="code"><button type="button" class="copy needs-script">Copy<span class="visually-hidden"> ${what}</span></button><pre tabindex="0"><code class="language-${language}">${tokens}</code></pre></div>\n`
}

function withBaseUrl(text: string): Html {
  const [first = '', ...others] = text.split(exampleServer)
  return html`${first}${others.map((part) => html`<span class="server-url">${exampleServer}</span>${part}`)}`
}

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/
const number = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?\b/
const words = (list: string) => new RegExp(`(?<![\\w.-])(?:${list.replaceAll(' ', '|')})(?![\\w-])`)

/** The first rule that matches at a place wins. */
const grammars: Record<string, Record<string, RegExp>> = {
  json: { key: /"(?:[^"\\]|\\.)*"(?=\s*:)/, string, number, keyword: words('true false null') },
  sh: {
    comment: /(?<=^|\s)#.*/,
    string,
    variable: /\$\w+/,
    key: /(?<=\s)--?[A-Za-z][\w-]*/,
    keyword: words('curl export npm pip go node python3'),
  },
  javascript: {
    comment: /(?<!:)\/\/.*/,
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
    comment: /(?<!:)\/\/.*/,
    string,
    number,
    keyword: words('package import func return if else for range var const defer nil error string int64 struct'),
  },
}
const cLike = (list: string) => ({ comment: /(?<!:)\/\/.*/, string, number, keyword: words(list) })
Object.assign(grammars, {
  php: { ...cLike('if throw new true false echo'), variable: /\$\w+/ },
  ruby: { comment: /#.*/, string, number, keyword: words('require puts do end') },
  java: cLike('import public class static void throws var new'),
  csharp: cLike('using var new await int'),
})
const aliases: Record<string, string> = { curl: 'sh', bash: 'sh', shell: 'sh', js: 'javascript', ts: 'javascript' }

/** Their texts, joined, are the code. */
export function tokensOf(code: string, language: string): [kind: string | undefined, text: string][] {
  const rules = Object.entries(grammars[aliases[language] ?? language] ?? {})
  if (rules.length === 0) return [[undefined, code]]
  const pattern = rules.map(([kind, { source }]) => `(?<${kind}>${source})`).join('|')
  const tokens: [string | undefined, string][] = []
  let end = 0
  for (const { index, 0: text, groups = {} } of code.matchAll(new RegExp(pattern, 'gm'))) {
    if (index > end) tokens.push([undefined, code.slice(end, index)])
    tokens.push([Object.keys(groups).find((kind) => groups[kind] !== undefined), text])
    end = index + text.length
  }
  return [...tokens, [undefined, code.slice(end)]]
}
