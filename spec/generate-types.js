// Writes the types of each document in ./spec beside it; with --check, compares instead and exits 1 when they differ.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint, nor an open set to its known values.)
import { readdir, readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)

/** @param {readonly string[]} values */
const unionOf = (values) =>
  ts.factory.createUnionTypeNode(
    values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))),
  )

/** The server sends the known values of an open set, and no others. @param {any} schema */
function transform({ format, 'x-extensible-enum': known }) {
  if (format === 'int64') return bigint
  return known ? unionOf(known) : undefined
}

const names = (await readdir('spec')).filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -5))
for (const name of names) {
  const ast = await openapiTS(pathToFileURL(`spec/${name}.yaml`), { transform })
  const types = `spec/${name}.d.ts`
  const wanted = `// Generated from ${name}.yaml by \`npm run types\`. Do not edit.\n\n${astToString(ast)}`

  if (!process.argv.includes('--check')) {
    await writeFile(types, wanted)
  } else if ((await readFile(types, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${types} does not match spec/${name}.yaml: run "npm run types" and commit the result.`)
    process.exitCode = 1
  }
}
