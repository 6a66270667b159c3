// Writes what the code lists into the documents: the rules of the contract and the problems of domains. With --check, fails
// if a document is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { problems } from '../packages/custom-domains/src/problems/index.ts'
import { rules } from '../plugins/contract/rules/index.ts'

/** @param {string[]} heads @param {string[][]} rows */
function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
  return lines.join('').replace('| --- |', '|---|').replaceAll(' --- |', '---|')
}

const causes = Object.entries(problems).map(([code, { cause, isTransient }]) => [
  `\`${code}\``,
  cause,
  isTransient ? 'after the fourth attempt' : 'at once',
])
const supported = rules.map(({ feature, supported, refused }) => [feature, supported, refused])

/** Each replaces the text that matches. @type {[file: string, place: RegExp, text: string][]} */
const texts = [
  [
    'docs/development.md',
    /^\| OpenAPI 3\.0 \|.*\n(\|.*\n)+/m,
    table(['OpenAPI 3.0', 'supported', 'refused'], supported),
  ],
  ['docs/custom-domains.md', /^\| problem \|.*\n(\|.*\n)+/m, table(['problem', 'cause', 'reported'], causes)],
  [
    'domains/api/dashboard.yaml',
    /(?<=^ {4}Problem:\n.*\n.*\n {6}properties:\n {8}code:\n.*\n {10}enum:\n)( {12}- .*\n)+/m,
    Object.keys(problems)
      .map((code) => `            - ${code}\n`)
      .join(''),
  ],
]

for (const [file, place, text] of texts) {
  const present = readFileSync(file, 'utf8')
  if (!place.test(present)) throw new Error(`${file} has no place for its table: ${place}`)
  const updated = present.replace(place, () => text)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, updated)
  } else if (updated !== present) {
    console.error(`${file} differs from what the code lists: run "npm run tables" and commit the result.`)
    process.exitCode = 1
  }
}
