// Checks a value against its schema before it is sent, with every digit of its integers. It leaves formats of texts to the
// server, and rejects nothing that the server accepts.
import { isOf, limits, listed, named, typeOf } from './schema-limits.js'

/** @typedef {Record<string, any>} Schemas by their pointers, which references name */

/** The schema itself, or what its reference leads to. */
export const resolved = (schema, /** @type {Schemas} */ schemas) =>
  (schema?.$ref === undefined ? schema : schemas[schema.$ref]) ?? {}

/** The schema with what it is composed of, for those who ask for its type or its properties. */
export function merged(given, /** @type {Schemas} */ schemas) {
  const schema = resolved(given, schemas)
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []].flat().map((one) => resolved(one, schemas))
  const [only, ...others] = alternatives.filter(({ type }) => type !== 'null')
  const parts = [...(schema.allOf ?? []), ...(only && others.length === 0 ? [only] : [])]
  const all = [...parts.map((part) => merged(part, schemas)), schema]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  }
}

/**
 * A line for each problem: `items[0].quantity must be at least 1`.
 * @param place what the lines begin with
 * @returns {string[]}
 */
export function problemsOf(given, value, /** @type {Schemas} */ schemas, place = '') {
  const resolve = (schema) => resolved(schema, schemas)

  function check(given, value, /** @type {string} */ place) {
    const schema = resolve(given)
    const fails = (/** @type {string} */ text) => [`${place || 'The body'} ${text}`]
    if (value instanceof Blob || (value === null && (schema.nullable || schema.type === undefined))) return []
    if (schema.type !== undefined && !isOf(schema.type, value)) return fails(`must be ${named(schema.type)}`)
    return [
      ...limits(schema, value).flatMap(fails),
      ...(Array.isArray(value) ? itemsOf(schema, value, place) : []),
      ...(typeOf(value) === 'object' ? propertiesOf(schema, value, place) : []),
      ...(schema.allOf ?? []).flatMap((part) => check(part, value, place)),
      ...branchesOf(schema, value, place),
    ]
  }

  const itemsOf = ({ items = {}, prefixItems = [] }, value, place) =>
    value.flatMap((item, at) => check(prefixItems[at] ?? items, item, `${place}[${at}]`))

  function propertiesOf(schema, value, place) {
    const { properties = {}, required = [], patternProperties, additionalProperties = true } = schema
    const others = patternProperties ? true : additionalProperties
    const within = (name) => (place ? `${place}.${name}` : name)
    const missing = required.filter((name) => !Object.hasOwn(value, name) && !propertyIn(schema, name)?.readOnly)
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
    return [
      ...missing.map((name) => `${within(name)} is required`),
      ...Object.keys(value)
        .filter((name) => Object.hasOwn(properties, name) && !resolve(properties[name]).readOnly)
        .flatMap((name) => check(properties[name], value[name], within(name))),
      ...unknown.flatMap((name) =>
        others === false ? [`${within(name)} is not allowed`] : check(others, value[name], within(name)),
      ),
    ]
  }

  /** A property of the schema's own, or of what it is composed of. */
  function propertyIn({ properties = {}, allOf = [] }, name) {
    if (Object.hasOwn(properties, name)) return resolve(properties[name])
    return allOf.map((part) => propertyIn(resolve(part), name)).find(Boolean)
  }

  function branchesOf({ oneOf, anyOf, discriminator }, value, place) {
    const branches = oneOf ?? anyOf
    if (!branches) return []
    if (discriminator) return chosenOf(discriminator, value, place)
    const failures = branches.map((branch) => check(branch, value, place))
    const count = failures.filter(({ length }) => length === 0).length
    if (count === 1 || (anyOf && count > 0)) return []
    if (count > 1) return [`${place || 'The body'} must match only one of the alternatives`]
    return failures.reduce((one, other) => (other.length < one.length ? other : one))
  }

  function chosenOf({ propertyName, choices }, value, place) {
    const chosen = choices.find(({ values }) => values.includes(value?.[propertyName]))
    if (chosen) return check(chosen.schema, value, place)
    const field = place ? `${place}.${propertyName}` : propertyName
    return [`${field} must be ${listed(choices.flatMap(({ values }) => values))}`]
  }

  return check(given, value, place)
}
