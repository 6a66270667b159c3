// The faults that can be planted in a source file: conditions, constants, statements, awaits and arguments.
import ts from 'typescript'

export interface Mutant {
  /** From 1. */
  line: number
  /** Offsets in the source. */
  start: number
  end: number
  replacement: string
}

/** @returns the mutants in source order, without those on lines that coverage ignores */
export function mutantsOf(source: string): Mutant[] {
  const tree = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const ignored = ignoredLines(source)
  const found: Mutant[] = []

  function add(node: ts.Node, replacement: string) {
    const start = node.getStart(tree)
    const line = tree.getLineAndCharacterOfPosition(start).line + 1
    if (!ignored.has(line)) found.push({ line, start, end: node.end, replacement })
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    for (const replacement of replacementsOf(node)) add(node, replacement)
    ts.forEachChild(node, visit)
  }

  visit(tree)
  return found.sort((one, other) => one.start - other.start || one.end - other.end)
}

const { SyntaxKind } = ts

const otherOperators = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
])

function replacementsOf(node: ts.Node): string[] {
  if (ts.isBinaryExpression(node)) return operatorOf(node)
  if (ts.isIfStatement(node)) return conditionOf(node, node.expression)
  if (ts.isConditionalExpression(node)) return conditionOf(node, node.condition)
  if (ts.isNumericLiteral(node)) return [`${Number(node.text) + 1}`]
  if (ts.isBigIntLiteral(node)) return [`${BigInt(node.text.slice(0, -1)) + 1n}n`]
  if (node.kind === SyntaxKind.TrueKeyword) return ['false']
  if (node.kind === SyntaxKind.FalseKeyword) return ['true']
  if (ts.isStringLiteral(node)) return isCode(node) ? ["''"] : []
  if (ts.isAwaitExpression(node)) return [`(${node.expression.getText()})`]
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return ['{}']
  if (ts.isCallExpression(node) && node.arguments.length > 1) return [withoutLastArgument(node)]
  return []
}

function operatorOf({ left, operatorToken, right }: ts.BinaryExpression): string[] {
  const other = otherOperators.get(operatorToken.kind)
  if (other !== undefined) return [`${left.getText()} ${other} ${right.getText()}`]
  return operatorToken.kind === SyntaxKind.QuestionQuestionToken ? [left.getText()] : []
}

/** The statement or expression with its condition negated. */
function conditionOf(node: ts.Node, condition: ts.Expression): string[] {
  const text = node.getText()
  const [start, end] = [condition.getStart() - node.getStart(), condition.end - node.getStart()]
  return [`${text.slice(0, start)}!(${condition.getText()})${text.slice(end)}`]
}

/** The words of a message may change; a code, a name or a key may not. */
function isCode({ text }: ts.StringLiteral): boolean {
  return text !== '' && !text.includes(' ')
}

function withoutLastArgument(call: ts.CallExpression): string {
  const last = call.arguments.at(-2) as ts.Expression
  return `${call.getText().slice(0, last.end - call.getStart())})`
}

/** Those of `c8 ignore next`, and between `c8 ignore start` and `stop`. */
function ignoredLines(source: string): Set<number> {
  const lines = new Set<number>()
  let isIgnoring = false
  for (const [index, text] of source.split('\n').entries()) {
    const [, count] = /c8 ignore next(?: (\d+))?/.exec(text) ?? []
    const next = text.includes('c8 ignore next') ? Number(count ?? 1) : 0
    for (let at = 1; at <= next; at++) lines.add(index + 1 + at)
    if (text.includes('c8 ignore start')) isIgnoring = true
    if (text.includes('c8 ignore stop')) isIgnoring = false
    if (isIgnoring) lines.add(index + 1)
  }
  return lines
}
