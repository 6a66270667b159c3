// What a schema contains: the properties of an object and of all that it is composed of, and alternatives.
import type { Schema } from 'exact-openapi'
import { type Alternative, type Content, type Field, idMaker, nothing, propertyField } from './fields.ts'
import { typeName, typeOf } from './types.ts'

/** So deep do request bodies open schemas that have a section of their own. */
const DEEPEST = 4

interface Options {
  idOf?: (owner: string, name: string) => string
  /** Also opens schemas that have a section of their own. */
  isComplete?: boolean
}

/** @param owner what the ids of the fields begin with */
export function contentOf(owner: string, root: Schema | undefined, options: Options = {}): Content {
  const { idOf = idMaker(), isComplete = false } = options
  return root ? open(root, '', []) : nothing

  function open(schema: Schema, prefix: string, within: readonly Schema[]): Content {
    if (within.includes(schema)) return nothing
    const { properties = {}, required = [], items, additionalProperties: others, allOf = [] } = schema
    const path = [...within, schema]
    const own = Object.entries(properties).map(([key, one]): Field => {
      const name = `${prefix}${key}`
      return propertyField(idOf(owner, name), name, one, required.includes(key), nested(one, name, path))
    })
    const parts = [
      ...allOf.map((part) => open(part, prefix, path)),
      ...(items ? [nested(items, `${prefix.slice(0, -1)}[]`, path)] : []),
      ...(typeof others === 'object' ? [nested(others, `${prefix}*`, path)] : []),
    ]
    return {
      fields: [...own, ...parts.flatMap(({ fields }) => fields)],
      alternatives: [...alternativesOf(schema, prefix, path), ...parts.flatMap(({ alternatives }) => alternatives)],
    }
  }

  /** The content of a part, whose fields have its name before their own. */
  function nested(schema: Schema, name: string, within: readonly Schema[]): Content {
    return isOpened(schema, within) ? open(schema, `${name}.`, within) : nothing
  }

  function isOpened({ name }: Schema, within: readonly Schema[]): boolean {
    return name === undefined || (isComplete && within.length < DEEPEST)
  }

  function alternativesOf({ oneOf, anyOf, discriminator }: Schema, prefix: string, within: readonly Schema[]) {
    const branches = (oneOf ?? anyOf ?? []).map((branch): Alternative => {
      const chosen = discriminator?.choices.find(({ schema }) => schema === branch)?.values ?? []
      const content = isOpened(branch, within) ? open(branch, prefix, within) : nothing
      return { name: chosen.join(' or ') || typeName(branch), type: typeOf(branch), ...content }
    })
    const isTelling = branches.some(({ fields, type }) => fields.length > 0 || type.schemaId !== undefined)
    return isTelling ? withOwnNames(branches) : []
  }
}

function withOwnNames(alternatives: readonly Alternative[]): Alternative[] {
  const names = alternatives.map(({ name }) => name)
  return alternatives.map((each, at) => {
    const isOwn = names.indexOf(each.name) === names.lastIndexOf(each.name)
    return isOwn ? each : { ...each, name: `${each.name} ${at + 1}` }
  })
}
