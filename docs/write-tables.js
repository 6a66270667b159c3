// Writes the problems of domains into the documents. With --check, fails if a document is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { problems } from '../packages/custom-domains/src/problems/index.ts'

const rows = Object.entries(problems).map(
  ([code, { cause, isTransient }]) =>
    `| \`${code}\` | ${cause} | ${isTransient ? 'after the fourth attempt' : 'at once'} |\n`,
)

/** Each replaces the text that matches. @type {[file: string, place: RegExp, text: string][]} */
const texts = [
  ['docs/custom-domains.md', /(?<=^\| problem \|.*\n\|---.*\n)(\|.*\n)+/m, rows.join('')],
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
  if (!place.test(present)) throw new Error(`${file} has no place for its list: ${place}`)
  const updated = present.replace(place, () => text)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, updated)
  } else if (updated !== present) {
    console.error(`${file} differs from what the code lists: run "npm run tables" and commit the result.`)
    process.exitCode = 1
  }
}
