// Writes openapi.d.ts from openapi.yaml, both in ./spec; with --check, compares instead and exits 1 when they differ.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint.)
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const document = pathToFileURL('spec/openapi.yaml')
const types = 'spec/openapi.d.ts'
const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)

const ast = await openapiTS(document, {
  transform: (schema) => (schema.format === 'int64' ? bigint : undefined),
})
const wanted = `// Generated from openapi.yaml by \`npm run types\`. Do not edit.\n\n${astToString(ast)}`

if (!process.argv.includes('--check')) {
  await writeFile(types, wanted)
} else if ((await readFile(types, 'utf8').catch(() => '')) !== wanted) {
  console.error('spec/openapi.d.ts does not match spec/openapi.yaml: run "npm run types" and commit the result.')
  process.exitCode = 1
}
