// Writes the types of each document in ./spec beside it; with --check, compares instead and exits 1 when they differ.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint.)
import { readdir, readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)

const names = (await readdir('spec')).filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -5))
for (const name of names) {
  const ast = await openapiTS(pathToFileURL(`spec/${name}.yaml`), {
    transform: (schema) => (schema.format === 'int64' ? bigint : undefined),
  })
  const types = `spec/${name}.d.ts`
  const wanted = `// Generated from ${name}.yaml by \`npm run types\`. Do not edit.\n\n${astToString(ast)}`

  if (!process.argv.includes('--check')) {
    await writeFile(types, wanted)
  } else if ((await readFile(types, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${types} does not match spec/${name}.yaml: run "npm run types" and commit the result.`)
    process.exitCode = 1
  }
}
