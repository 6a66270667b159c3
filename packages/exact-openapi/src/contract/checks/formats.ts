// Formats of strings that ajv-formats reads more loosely than their RFCs.
import { fullFormats } from 'ajv-formats/dist/formats.js'

/** RFC 4648, section 4: with padding, and without line breaks. */
const base64 = /^(?:[\da-z+/]{4})*(?:[\da-z+/]{2}==|[\da-z+/]{3}=)?$/i

/** RFC 3339, section 5.6. */
const dateTime = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i
const dateTimeFormat = fullFormats['date-time'] as { validate(text: string): boolean }

export const formats: Record<string, (text: string) => boolean> = {
  byte: (text) => base64.test(text),
  'date-time': (text) => dateTime.test(text) && dateTimeFormat.validate(text),
}
