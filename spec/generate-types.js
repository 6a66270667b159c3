// Writes the types of each document beside it; with --check, compares instead and exits 1 when they differ.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint, nor an open set to its known values.)
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
const bytes = ts.factory.createTypeReferenceNode('Uint8Array')
const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull())

/** @param {readonly string[]} values */
const unionOf = (values) =>
  ts.factory.createUnionTypeNode(
    values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))),
  )

/** The server sends the known values of an open set, and no others. @param {any} schema */
function transform({ format, nullable, 'x-extensible-enum': known }) {
  if (format === 'int64') return nullable ? ts.factory.createUnionTypeNode([bigint, nothing]) : bigint
  if (format === 'binary') return bytes
  return known ? unionOf(known) : undefined
}

const folders = ['spec', 'domains/api'].filter((folder) => existsSync(folder))
const documents = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
)
for (const document of documents) {
  const ast = await openapiTS(pathToFileURL(document), { transform })
  const types = document.replace(/\.yaml$/, '.d.ts')
  const wanted = `// Generated from ${basename(document)} by \`npm run types\`. Do not edit.\n\n${astToString(ast)}`

  if (!process.argv.includes('--check')) {
    await writeFile(types, wanted)
  } else if ((await readFile(types, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${types} does not match ${document}: run "npm run types" and commit the result.`)
    process.exitCode = 1
  }
}
