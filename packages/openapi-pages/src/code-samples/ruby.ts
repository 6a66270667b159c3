// Samples in Ruby, with its standard library.
import type { Call } from './call.ts'

/** In single quotes: nothing within is evaluated. */
const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

export function ruby({ method, url, credential, headers, body }: Call): string {
  const prefix = credential?.prefix ? `${quoted(credential.prefix)} + ` : ''
  const lines = [
    ...(credential ? [`request[${quoted(credential.name)}] = ${prefix}ENV.fetch('API_KEY')`] : []),
    ...headers.map(([name, value]) => `request[${quoted(name)}] = ${quoted(value)}`),
    ...(body === undefined ? [] : [`request.body = ${quoted(body)}`]),
  ]
  return `require 'net/http'

uri = URI(${quoted(url)})
request = Net::HTTP::${method[0]}${method.slice(1).toLowerCase()}.new(uri)
${lines.map((line) => `${line}\n`).join('')}
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
puts response.code, response.body
`
}
