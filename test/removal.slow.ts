// Each optional feature can be deleted: without its folder and the few lines that use it, the rest still compiles.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'

/** Folders that are deleted together: the dashboard of custom domains uses the documentation site's page. */
const removals: [folders: string[], linesAtMost: number][] = [
  [['site', 'domains', 'packages/custom-domains'], 18],
  [['domains', 'packages/custom-domains'], 16],
  [['telemetry', 'domains/metrics.ts'], 20],
]
const composition = /^(app\.ts|server\.ts|cli\/|domains\/index\.ts)/

const { config } = ts.readConfigFile('tsconfig.build.json', ts.sys.readFile)
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const project = fileNames.map((file) => relative('.', file))
const compilerOptions = { ...options, noEmit: true, incremental: false, declaration: false }
delete compilerOptions.tsBuildInfoFile
const parsed = new Map<string, ts.SourceFile | undefined>()

for (const [folders, linesAtMost] of removals) {
  t.test(`without ${folders.join(' and ')}, the rest compiles`, async (t) => {
    const isDeleted = (file: string) => folders.some((folder) => `${relative('.', file)}/`.startsWith(`${folder}/`))
    const kept = project.filter((file) => !isDeleted(file))
    const { removed, errors } = remove(kept, isDeleted)
    t.strictSame(errors, [])
    for (const line of removed) t.comment(line)
    t.ok(removed.length > 0 && removed.length <= linesAtMost, `${removed.length} lines are removed`)
  })
}

/** Removes the imports of deleted files, then whatever no longer compiles, until the rest does. */
function remove(kept: string[], isDeleted: (file: string) => boolean) {
  const texts = new Map<string, string>()
  const removed: string[] = []
  const host = ts.createCompilerHost(compilerOptions)
  const { fileExists, getSourceFile } = host
  host.fileExists = (file) => !isDeleted(file) && fileExists(file)
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(relative('.', file))
    if (text !== undefined) return ts.createSourceFile(file, text, version, true)
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, version, ...rest))
    return parsed.get(file)
  }
  for (;;) {
    const program = ts.createProgram({ rootNames: kept, options: compilerOptions, host })
    const diagnostics = ts.getPreEmitDiagnostics(program)
    const cuts = new Map<string, Cut[]>()
    const errors: string[] = []
    for (const { file, start = 0, messageText } of diagnostics) {
      const path = relative('.', file?.fileName ?? '')
      const cut = file && composition.test(path) && cutAt(file, start)
      if (cut) cuts.set(path, [...(cuts.get(path) ?? []), cut])
      else errors.push(`${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    }
    if (errors.length > 0 || cuts.size === 0) return { removed, errors }
    for (const [path, all] of cuts) {
      let text = texts.get(path) ?? readFileSync(path, 'utf8')
      // The outermost of nested cuts, from the end of the file so that positions stay valid.
      const outermost = all
        .filter((cut, index) => !all.some((other, at) => contains(other, cut) && (!contains(cut, other) || at < index)))
        .toSorted((a, b) => b.start - a.start)
      for (const { start, end } of outermost) {
        const lines = text
          .slice(start, end)
          .split('\n')
          .filter((line) => /\w/.test(line))
        removed.push(...lines.map((line) => `${path}: ${line.trim()}`))
        text = `${text.slice(0, start)}${text.slice(end)}`
      }
      texts.set(path, text)
    }
  }
}

interface Cut {
  start: number
  end: number
}

function contains(outer: Cut, inner: Cut): boolean {
  return outer.start <= inner.start && outer.end >= inner.end
}

/** The innermost statement, property, parameter or element around a position; or the left side of a `??`. */
function cutAt(file: ts.SourceFile, position: number): Cut | undefined {
  for (let node = innermost(file, position); !ts.isSourceFile(node); node = node.parent) {
    const { parent } = node
    const start = node.getStart(file)
    if (isDefaulted(node, parent)) return { start, end: parent.right.getStart(file) }
    if (isElement(node, parent)) return { start, end: endWithComma(file, node) }
    if (ts.isStatement(node) && (ts.isSourceFile(parent) || ts.isBlock(parent)) && !ts.isBlock(node)) {
      return { start, end: node.end }
    }
  }
  return undefined
}

function innermost(node: ts.Node, position: number): ts.Node {
  const inner = ts.forEachChild(node, (child) => {
    return child.pos <= position && position < child.end ? innermost(child, position) : undefined
  })
  return inner ?? node
}

function isDefaulted(node: ts.Node, parent: ts.Node): parent is ts.BinaryExpression {
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return false
  return parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
}

function isElement(node: ts.Node, parent: ts.Node): boolean {
  const kinds = [ts.isObjectLiteralElement, ts.isTypeElement, ts.isImportSpecifier, ts.isParameter, ts.isBindingElement]
  return kinds.some((is) => is(node)) || ts.isArrayLiteralExpression(parent)
}

function endWithComma(file: ts.SourceFile, node: ts.Node): number {
  const [comma = ''] = /^\s*,/.exec(file.text.slice(node.end)) ?? []
  return node.end + comma.length
}
