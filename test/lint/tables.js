// Writes the problems of domains into the documents that list them, and .env.example from the tables of variables.
import { readFile } from 'node:fs/promises'
import { problems } from '../../packages/custom-domains/src/problems/index.ts'

const rows = Object.entries(problems).map(
  ([code, { cause, isTransient, addressee }]) =>
    `| \`${code}\` | ${cause} | ${whoOf(addressee)}${isTransient ? ' (transient)' : ''} |\n`,
)

/** @param {(typeof problems)[keyof typeof problems]['addressee']} addressee */
function whoOf(addressee) {
  return (typeof addressee === 'string' ? [addressee] : addressee.among).join(' or ')
}

/** Each replaces the text that matches. @type {[file: string, pattern: RegExp, text: string][]} */
const texts = [
  ['docs/custom-domains.md', /(?<=^\| problem \|.*\n\|---.*\n)(\|.*\n)+/m, rows.join('')],
  [
    'domains/api/dashboard.yaml',
    /(?<=^ {4}ProblemCode:\n.*\n {6}enum:\n)( {8}- .*\n)+/m,
    Object.keys(problems)
      .map((code) => `        - ${code}\n`)
      .join(''),
  ],
]

/** @param {string} root @returns {Promise<import('./update.ts').Generated>} */
export async function tables(root) {
  /** @type {Record<string, string>} */
  const files = {}
  const errors = []
  for (const [file, pattern, text] of texts) {
    const present = await readFile(`${root}/${file}`, 'utf8')
    if (pattern.test(present)) files[file] = present.replace(pattern, () => text)
    else errors.push(`${file} has no place for its list: ${pattern}`)
  }
  files['.env.example'] = exampleOf(await readFile(`${root}/docs/configuration.md`, 'utf8'))
  return { files, errors }
}

/** The variables of the page with their defaults. @param {string} page */
function exampleOf(page) {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]+)` \|)?(.*?)(?:\|(.*))?\|$/gm)]
  const variables = rows.map(([, name, value = '', first, second]) => {
    const meaning = plain(second ?? first)
    const otherwise = second && plain(first)
    return `# ${meaning}${otherwise ? `; otherwise ${otherwise}` : ''}\n${name}=${value}\n`
  })
  return ['# Copy to .env, and start with: node --env-file=.env dist/server.js\n', ...variables].join('\n')
}

/** A cell without its links and marks. */
function plain(text = '') {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .trim()
}
