// Checks a JSON body against its schema before it is sent, with every digit of its integers. It leaves formats of texts to
// the server, and rejects nothing that the server accepts.
import { parseExactly } from './json.js'
import { isOf, limits, listed, named, typeOf } from './schema-limits.js'

/**
 * A line for each problem: `items[0].quantity must be at least 1`.
 * @param place of the body in the document: its operation and media type
 * @param document as `parseExactly` reads it: its bounds have all digits, too
 * @returns {string[]}
 */
export function problemsIn(
  /** @type {string} */ text,
  /** @type {{ path: string, method: string, type: string }} */ { path, method, type },
  document,
) {
  let value
  try {
    value = parseExactly(text)
  } catch (error) {
    return [`This is not JSON: ${/** @type {Error} */ (error).message}`]
  }
  const { check, resolved } = checkerIn(document)
  return check(resolved(document.paths[path][method].requestBody).content[type].schema, value, '')
}

/** What it checks has the names of places within it, such as `items[0]`. */
export function checkerIn(document) {
  const resolved = (schema) => {
    if (schema?.$ref === undefined) return schema ?? {}
    const keys = schema.$ref.slice(2).split('/').map(keyIn)
    return resolved(keys.reduce((node, key) => node?.[key], document))
  }

  function check(given, value, place) {
    const schema = resolved(given)
    const fails = (text) => [`${place || 'The body'} ${text}`]
    if (value === null && (schema.nullable || schema.type === undefined)) return []
    if (schema.type !== undefined && !isOf(schema.type, value)) return fails(`must be ${named(schema.type)}`)
    return [
      ...limits(schema, value).flatMap(fails),
      ...(Array.isArray(value) ? itemsOf(schema, value, place) : []),
      ...(typeOf(value) === 'object' ? propertiesOf(schema, value, place) : []),
      ...(schema.allOf ?? []).flatMap((part) => check(part, value, place)),
      ...branchesOf(schema, value, place),
    ]
  }

  const itemsOf = ({ items = {} }, value, place) => value.flatMap((item, at) => check(items, item, `${place}[${at}]`))

  function propertiesOf(schema, value, place) {
    const { properties = {}, required = [], additionalProperties: others = true } = schema
    const within = (name) => (place ? `${place}.${name}` : name)
    const missing = required.filter((name) => !Object.hasOwn(value, name) && !propertyIn(schema, name)?.readOnly)
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
    return [
      ...missing.map((name) => `${within(name)} is required`),
      ...Object.keys(value)
        .filter((name) => Object.hasOwn(properties, name) && !resolved(properties[name]).readOnly)
        .flatMap((name) => check(properties[name], value[name], within(name))),
      ...unknown.flatMap((name) =>
        others === false ? [`${within(name)} is not allowed`] : check(others, value[name], within(name)),
      ),
    ]
  }

  /** A property of the schema's own, or of what it is composed of. */
  function propertyIn({ properties = {}, allOf = [] }, name) {
    if (Object.hasOwn(properties, name)) return resolved(properties[name])
    return allOf.map((part) => propertyIn(resolved(part), name)).find(Boolean)
  }

  function branchesOf({ oneOf, anyOf, discriminator }, value, place) {
    const branches = oneOf ?? anyOf
    if (!branches) return []
    if (discriminator) return chosenOf(branches, discriminator, value, place)
    const failures = branches.map((branch) => check(branch, value, place))
    const count = failures.filter(({ length }) => length === 0).length
    if (count === 1 || (anyOf && count > 0)) return []
    if (count > 1) return [`${place || 'The body'} must match only one of the alternatives`]
    return failures.reduce((one, other) => (other.length < one.length ? other : one))
  }

  /** OpenAPI 3.0.3, "Discriminator Object": the name of a schema needs no mapping. */
  function chosenOf(branches, { propertyName, mapping = {} }, value, place) {
    const named = branches.flatMap((branch) => {
      const { $ref = '' } = branch
      const name = keyIn($ref.split('/').at(-1))
      const mapped = Object.keys(mapping).filter((key) => mapping[key] === $ref || mapping[key] === name)
      const own = resolved(branch).properties?.[propertyName]?.enum ?? []
      const values = mapped.length > 0 ? mapped : $ref ? [name] : own
      return values.map((key) => ({ key, branch }))
    })
    const chosen = named.find(({ key }) => key === value?.[propertyName])
    if (chosen) return check(chosen.branch, value, place)
    const field = place ? `${place}.${propertyName}` : propertyName
    return [`${field} must be ${listed(named.map(({ key }) => key))}`]
  }

  return { check, resolved }
}

/** Of a JSON pointer in a fragment. */
const keyIn = (part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
