// Checks the import rules, and draws the imports between the parts of the root into docs/architecture.md.
import { readFile } from 'node:fs/promises'
import { cruise, format } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const page = 'docs/architecture.md'
const folders = '^(cli|config|domains|handlers|plugins|spec|store|telemetry)/'
const files = String.raw`^(app|server)\.ts$`

/** Checks the project in the current folder. @returns {Promise<import('./update.ts').Generated>} */
export async function imports() {
  const options = await extractOptions('./.dependency-cruiser.js')
  const tsConfig = extractTsConfig('tsconfig.json')
  const { output } = await cruise(['.'], options, options.enhancedResolveOptions, { tsConfig })
  const cruised = /** @type {import('dependency-cruiser').ICruiseResult} */ (output)
  const violations = await format(cruised, { outputType: 'err' })
  const drawing = await format(cruised, {
    outputType: 'mermaid',
    includeOnly: `${folders}|${files}`,
    collapse: folders,
  })
  const drawn = String(drawing.output)
    .replace(/^subgraph \w+\["(.*)"\]\n(\w+)\[" "\]\nend$/gm, '$2["$1/"]') // a part is one node
    .trim()
  const text = await readFile(page, 'utf8')
  const updated = text.replace(/(<!-- imports -->\n).*?(<!-- end -->)/s, `$1\n\`\`\`mermaid\n${drawn}\n\`\`\`\n\n$2`)
  return { files: { [page]: updated }, errors: violations.exitCode === 0 ? [] : [String(violations.output)] }
}
