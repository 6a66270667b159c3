// Writes the rules of the contract into docs/development.md, as a table; with --check, fails if the table is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { rules } from '../plugins/contract/rules/index.ts'

const page = 'docs/development.md'
const rows = rules.map(({ feature, supported, refused }) => `| ${feature} | ${supported} | ${refused} |\n`)
const table = `| OpenAPI 3.0 | supported | refused |\n|---|---|---|\n${rows.join('')}`

const text = readFileSync(page, 'utf8')
const written = text.replace(/^\| OpenAPI 3\.0 \|.*\n(\|.*\n)+/m, () => table)
if (!process.argv.includes('--check')) {
  writeFileSync(page, written)
} else if (written !== text) {
  console.error(
    `${page} does not list the rules of plugins/contract/rules/: run "npm run rules" and commit the result.`,
  )
  process.exitCode = 1
}
