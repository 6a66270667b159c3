// Bodies of application/x-www-form-urlencoded, and what their fields have in common with the parts of multipart/form-data.
import { isJson } from '../../media-types.ts'
import type { Media, Parameter, Schema } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { parseExact } from '../json.ts'
import { fieldReader, isNameOf } from './objects.ts'
import { readerOf } from './parameters.ts'
import { decoded, pairsIn, spaced, textOf } from './texts.ts'
import { propertyFinder } from './types.ts'

type Encodings = Media['encoding']

/** Reads the texts of a field, which are decoded. @returns undefined for a field of any value */
export function fieldsReader(schema: Schema, encoding: Encodings, compile: Compile) {
  const propertyOf = propertyFinder(schema)
  return (name: string): ((text: string | string[]) => unknown) | undefined => {
    const property = propertyOf(name)
    const { contentType = '', style } = (Object.hasOwn(encoding, name) && encoding[name]) || {}
    const isWritten = style === undefined && contentType.split(',').some(isJson)
    return property && fieldReader(property, compile, isWritten ? parseExact : undefined)
  }
}

export function formReader(schema: Schema, encoding: Encodings, compile: Compile): (bytes: Buffer) => object {
  const readField = fieldsReader(schema, encoding, compile)
  const styled = styledFields(schema, encoding)
  const readers = styled.map(
    (parameter) => [parameter.name, readerOf(parameter, '', `body ${parameter.name}`, compile)] as const,
  )
  return (bytes) => {
    const texts = pairsIn(textOf(bytes))
    const all = Object.entries(texts) as [name: string, value: string | string[]][]
    const others = all.filter(([name]) => !styled.some((parameter) => isNameOf(parameter, name)))
    const fields = others.map(([name, value]) => {
      const label = `body ${name}`
      const values = [value].flat().map((text) => decoded(spaced(text), label))
      const given = values.length > 1 ? values : String(values[0])
      return [name, readField(name)?.(given) ?? given]
    })
    const found = readers.map(([name, read]) => [name, read(texts)]).filter(([, value]) => value !== undefined)
    return Object.fromEntries([...fields, ...found])
  }
}

/** Those that are written as parameters of a query are. */
export function styledFields(schema: Schema, encoding: Encodings): Parameter[] {
  const propertyOf = propertyFinder(schema)
  return Object.entries(encoding).flatMap(([name, { style, explode }]) => {
    const property = propertyOf(name)
    if (!property || (style ?? explode) === undefined) return []
    const others = { in: 'query', required: false, deprecated: false, allowEmptyValue: false, type: undefined } as const
    const described = { description: '', examples: [], extensions: {} }
    const written = style ?? 'form'
    return [{ name, schema: property, style: written, explode: explode ?? written === 'form', ...others, ...described }]
  })
}
