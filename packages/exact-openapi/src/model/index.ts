// The model of a document, which all that depends on the document reads: the contract, the types, the client, the
// reference, the tools of agents and the tests. Nothing else reads the document itself.

export { isJson, isMultipart, preferred } from '../media-types.ts'
export { bundled } from './bundle.ts'
export { plainCopy, withExtension, withServers } from './copies.ts'
export { digitsOf, exactNumber, rounded, roundedButExamples } from './decimals.ts'
export { decidedBy } from './discriminator.ts'
export { type Document, type Extensions, frozen, type RawDocument } from './document.ts'
export type { Example, Exampled } from './example.ts'
export { documentOf } from './identifiers.ts'
export { type Keyword, keywords, type ObjectName } from './keywords.ts'
export type { Body, Encoding, Link, Media, Response } from './media.ts'
export {
  type ExternalDocs,
  type Info,
  type Model,
  modelOf,
  type SecurityScheme,
  type Server,
  type Tag,
} from './model.ts'
export { integerRanges } from './number-places.ts'
export { methods, type Operation } from './operation.ts'
export { type Header, inputParts, type Parameter } from './parameter.ts'
export {
  alternativesOf,
  certain,
  composing,
  itemsAt,
  leadingTo,
  leadsTo,
  partsOf,
  propertiesAt,
  reachable,
  type SchemaTest,
  sameValue,
  tooDeepIn,
  withAllOf,
} from './parts.ts'
export { isPattern, patternOf } from './patterns.ts'
export { plainSchema } from './plain-schema.ts'
export { follow, placeIn, shortened } from './references.ts'
export {
  anything,
  type Discriminator,
  fieldsOf,
  isExact,
  isHidden,
  propertyOf,
  type Schema,
} from './schema.ts'
export { findingsOf, requireValid } from './validity.ts'
