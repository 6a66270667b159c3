// Writes the server and the packages of this project to dist/ as JavaScript. Types become spaces, so stack traces show the
// lines and columns of the sources; `npm run lint` checks the types. Then prepares the documents and the schema of OpenAPI.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import stripTypes from 'ts-blank-space'
import { readSource, recordSources } from './sources.js'
import { sourceOf } from './workspaces.js'

const programs = ['server.ts', 'cli/index.ts']
const documents = ['spec/openapi.yaml', 'domains/api/dashboard.yaml']
const tools = ['package-lock.json', 'deploy/compile.js', 'deploy/sources.js', 'deploy/workspaces.js']
const imported = /(?<=\b(?:from|import|require) *\(?')[^']+(?=')/g

/** The code of each output. @type {Map<string, string>} */
const outputs = new Map()

for (const program of programs) addModule(program)
for (const file of [...documents, ...tools]) readSource(file)
try {
  for (const [output, code] of outputs) write(output, code)
  await prepare()
  recordSources()
} catch (error) {
  if (!error.syscall) throw error
  process.stderr.write('Cannot write to dist/. Let its owner run "npm run build", then start again.\n')
  process.exitCode = 1
}

/** Adds a module and all that it imports. @param {string} source */
function addModule(source) {
  const output = join('dist', source.replace(/\.ts$/, '.js'))
  if (outputs.has(output)) return
  const text = readSource(source)
  const code = stripTypes(text, ({ pos, end }) => {
    throw new Error(`${source}: not erasable: ${text.slice(pos, end).trim()}`)
  })
  const modules = new Set()
  const linked = code.replaceAll(imported, (specifier) => {
    const module = moduleOf(specifier, source)
    if (module === undefined) return specifier
    modules.add(module)
    const path = relative(dirname(source), module).replace(/\.ts$/, '.js')
    return path.startsWith('.') ? path : `./${path}`
  })
  outputs.set(output, linked)
  for (const module of modules) addModule(module)
}

/** @param {string} specifier @param {string} importer @returns the file, unless it is a package of others or JavaScript */
function moduleOf(specifier, importer) {
  return /^\..*\.ts$/.test(specifier) ? join(dirname(importer), specifier) : sourceOf(specifier)
}

/** Leaves an unchanged file alone, and replaces others at once: servers may be loading them. */
function write(/** @type {string} */ output, /** @type {string} */ code) {
  if (existsSync(output) && readFileSync(output, 'utf8') === code) return
  mkdirSync(dirname(output), { recursive: true })
  const draft = `${output}.${process.pid}`
  writeFileSync(draft, code)
  renameSync(draft, output)
}

async function prepare() {
  const { prepareDocument, storeValidator } = await built('spec/document')
  storeValidator()
  for (const document of documents) {
    try {
      prepareDocument(pathToFileURL(document))
    } catch {} // the start reports what is wrong with it
  }
}

/** @param {string} module */
function built(module) {
  return import(pathToFileURL(`dist/${module}.js`).href)
}
