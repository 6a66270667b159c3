// What is wrong with an example, in a sentence.
import type { Finding } from 'exact-openapi'
import { code } from './texts.ts'

/** Of one that the document gives. @param text what it is, if that is short */
export function exampleNote(violation: Finding | undefined, text?: string): string {
  if (!violation) return ''
  const subject = text === undefined ? 'this example' : `the example ${code(text)}`
  return `The schema does not accept ${subject}: ${wrong(violation)}.`
}

/** Of one that is made of the schema. */
export function madeNote(violation: Finding | undefined): string {
  return violation ? `No example was found that the schema accepts. In this one, ${wrong(violation)}.` : ''
}

const wrong = ({ place, message }: Finding) =>
  `${place ? code(place) : 'it'} ${message.replace(/[\\`*_[\]<~|]/g, '\\$&')}`
