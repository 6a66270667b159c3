// Draws the imports between the parts into docs/architecture.md; with --check, fails if the drawing is out of date.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const page = 'docs/architecture.md'
const folders = '^(packages/[^/]+|cli|config|domains|handlers|http|plugins|site|spec|store|telemetry)/'
const tests = '^packages/[^/]+/test/'
const files = String.raw`^(app|server)\.ts$`

const args = [
  '.',
  '--output-type',
  'mermaid',
  '--include-only',
  `${folders}|${files}`,
  '--collapse',
  folders,
  '--exclude',
  tests,
]
const drawn = execFileSync('node_modules/.bin/depcruise', args, { encoding: 'utf8' })
  .replace(/^subgraph \w+\["(.*)"\]\n(\w+)\[" "\]\nend$/gm, '$2["$1/"]') // a part is one node
  .trim()

const text = readFileSync(page, 'utf8')
const updated = text.replace(/(<!-- imports -->\n).*?(<!-- end -->)/s, `$1\n\`\`\`mermaid\n${drawn}\n\`\`\`\n\n$2`)
if (process.argv.includes('--check')) {
  if (updated !== text) {
    console.error(`The picture of the imports in ${page} is out of date. Run: npm run imports`)
    process.exitCode = 1
  }
} else writeFileSync(page, updated)
