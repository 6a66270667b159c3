// Every door of a package is narrow, and its README explains what it exports.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import ts from 'typescript'

/** The most names that a main door may export. */
const most: Record<string, number> = {
  'exact-openapi': 30,
  'http-edge': 15,
  'http-edge/fastify': 12,
  'custom-domains': 25,
  'openapi-pages': 10,
}
const UNEXPLAINED = 5

function namesIn(file: string): string[] {
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement
      if (exportClause && ts.isNamedExports(exportClause)) return exportClause.elements.map(({ name }) => name.text)
      throw new Error(`${file} exports names that it does not list`)
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement]
    return declarations.map((declaration) => (declaration as ts.DeclarationStatement).name?.text ?? 'default')
  })
}

for (const name of readdirSync('packages')) {
  const folder = `packages/${name}`
  const { private: isPrivate, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  if (isPrivate) continue
  const readme = readFileSync(`${folder}/README.md`, 'utf8')
  const code = readme.match(/```.*?```|`[^`]+`/gs)?.join('\n') ?? ''
  const doors = Object.entries<Record<string, string>>(exports).map(([path, conditions]) => ({
    door: path.replace('.', name),
    file: `${folder}/${conditions['store-orders-source'] ?? 'index.ts'}`,
  }))
  for (const { door, file } of doors) {
    t.test(`the README explains what ${door} exports`, async (t) => {
      const names = namesIn(file)
      const unexplained = names.filter((exported) => !new RegExp(`\\b${exported}\\b`).test(code))
      t.ok(unexplained.length <= UNEXPLAINED, `unexplained: ${unexplained.join(', ')}`)
      t.ok(names.length <= (most[door] ?? Infinity), `${names.length} names`)
    })
  }
}
