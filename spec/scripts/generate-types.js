// Writes the types of each document beside it, and what every operation has into the public one, whose operations it
// writes into the client. With --check, compares instead and exits 1 when anything differs.
// (openapi-typescript's CLI has no transform, so it cannot map int64 to bigint, nor an open set to its known values.)
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { parse } from 'yaml'
import { complete } from './complete-document.js'
import { clientOf } from './generate-client.js'

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

/** Writes a file, or complains that it differs. @param {string} file @param {string} wanted */
async function write(file, wanted) {
  if ((await readFile(file, 'utf8').catch(() => '')) === wanted) return
  if (!process.argv.includes('--check')) return writeFile(file, wanted)
  console.error(`${file} is not up to date: run "npm run types" and commit the result.`)
  process.exitCode = 1
}

const folders = ['spec', 'domains/api'].filter((folder) => existsSync(folder))
const documents = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
)
for (const document of documents) {
  const isPublic = basename(document) === 'openapi.yaml'
  const given = await readFile(document, 'utf8')
  const text = isPublic ? complete(given) : given
  await write(document, text)
  const types = astToString(await openapiTS(text, { transform }))
  await write(
    document.replace(/\.yaml$/, '.d.ts'),
    `// Generated from ${basename(document)} by \`npm run types\`. Do not edit.\n\n${types}`,
  )
  if (isPublic && existsSync('packages/client')) await write('packages/client/operations.ts', clientOf(parse(text)))
}
