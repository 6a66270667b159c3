// What the form reads of a schema. Whether a value fits, the server says.

/** @typedef {Record<string, any>} Schemas by their pointers, which references name */

/** The schema itself, or what its reference leads to. */
export const resolved = (schema, /** @type {Schemas} */ schemas) =>
  (schema?.$ref === undefined ? schema : schemas[schema.$ref]) ?? {}

/** The schema with what it is composed of, for those who ask for its type or its properties. */
export function merged(described, /** @type {Schemas} */ schemas) {
  const schema = resolved(described, schemas)
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []].flat().map((alternative) => resolved(alternative, schemas))
  const [only, ...others] = alternatives.filter(({ type }) => type !== 'null')
  const parts = [...(schema.allOf ?? []), ...(only && others.length === 0 ? [only] : [])]
  const all = [...parts.map((part) => merged(part, schemas)), schema]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  }
}
