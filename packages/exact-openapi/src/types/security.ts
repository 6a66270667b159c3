// The library writes no security: this adds to each operation the alternatives of schemes, with their scopes.
import ts from 'typescript'
import type { Operation } from '../model/index.ts'
import { asKey } from './schema-writer.ts'

const { factory } = ts

export function withSecurity(nodes: readonly ts.Node[], operations: readonly Operation[]): ts.Node[] {
  const byId = new Map(operations.map(({ id, scopes }) => [asKey(id), scopes]))
  return nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'operations') return node
    const { modifiers, name, typeParameters, heritageClauses, members } = node
    const all = members.map((member) => withAlternatives(member as ts.PropertySignature, byId))
    return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, all)
  })
}

function withAlternatives(member: ts.PropertySignature, byId: ReadonlyMap<string, Operation['scopes']>) {
  const { modifiers, name, questionToken, type } = member
  const alternatives = byId.get((name as ts.StringLiteral).text) as Operation['scopes']
  if (alternatives.length === 0) return member
  const security = property('security', factory.createUnionTypeNode(alternatives.map(alternative)))
  const whole = factory.createTypeLiteralNode([...(type as ts.TypeLiteralNode).members, security])
  return factory.updatePropertySignature(member, modifiers, name, questionToken, whole)
}

const alternative = (schemes: Operation['scopes'][number]) =>
  factory.createTypeLiteralNode(Object.entries(schemes).map(([name, scopes]) => property(name, union(scopes))))

/** `never` of none. */
const union = (texts: readonly string[]) =>
  texts.length > 0
    ? factory.createUnionTypeNode(texts.map((text) => factory.createLiteralTypeNode(factory.createStringLiteral(text))))
    : factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword)

function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  const written = /^[a-z]\w*$/i.test(name) ? name : factory.createStringLiteral(name)
  return factory.createPropertySignature(undefined, written, undefined, type)
}
