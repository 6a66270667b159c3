// Examples of parameters, headers and bodies.
import type { OpenAPIV3 } from 'openapi-types'
import type { RawDocument } from './document.ts'
import { childOf, describedBy } from './references.ts'

export interface Exampled {
  examples: readonly Example[]
}

export interface Example {
  /** `example` for the only one, which has no name of its own. */
  name: string
  summary: string | undefined
  description?: string
  value: unknown
  /** Where the value is, if it is not in the document. */
  externalValue?: string
  /** The parameters and the body of a request that gets this response. */
  'x-request'?: object | undefined
}

/** Since 3.2, it may have the value itself or a text that stands for it. */
type WrittenExample = OpenAPIV3.ExampleObject & { dataValue?: unknown; serializedValue?: string }

export function examplesOf(
  document: RawDocument,
  { example, examples = {} }: Pick<OpenAPIV3.MediaTypeObject, 'example' | 'examples'>,
  pointer: string,
): Example[] {
  if (example !== undefined) return [{ name: 'example', summary: undefined, value: example }]
  return Object.entries(examples).map(([name, given]) => {
    const { node } = describedBy<WrittenExample>(document, given, childOf(pointer, 'examples', name))
    const { dataValue, serializedValue, value = dataValue ?? serializedValue, ...texts } = node
    return { name, ...texts, summary: node.summary, value }
  })
}
