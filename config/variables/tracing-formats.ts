// Formats of OpenTelemetry's variables, by its specification: upper and lower case are the same.
import { type Format, listOf, matching, oneOf } from './formats.ts'

const anyCase = <T>({ expected, parse }: Format<T>): Format<T> => ({
  expected,
  parse: (text) => parse(text.toLowerCase()),
})

/** Only `true` disables. */
export const disabled: Format<boolean> = anyCase({
  expected: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
})

const exporterName = anyCase(oneOf('otlp', 'none', 'console', 'zipkin'))
export const exporters = { expected: 'otlp or none', parse: listOf(exporterName.parse) }

export const endpoint = matching('an http or https address', (text) => /^https?:\/\//i.test(text) && URL.canParse(text))
export const protocol = anyCase(oneOf('http/json', 'http/protobuf', 'grpc'))
export const sampler = anyCase(
  oneOf(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ),
)
export const ratio: Format<number> = {
  expected: 'a number from 0 to 1',
  parse: (text) => (/^(0|1|0?\.\d+|1\.0+)$/.test(text) ? Number(text) : undefined),
}
