// Samples for the shell.
import type { Call } from './call.ts'

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** `--data` would read a file for a body that begins with @. */
export function curl({ method, url, credential, headers, body }: Call): string {
  const options = [
    ...(method === 'GET' ? [] : [`-i -X ${method}`]),
    ...(credential ? [`-H "${credential.name}: ${credential.prefix}$API_KEY"`] : []),
    ...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${inShell(body)}`]),
    url.includes('?') ? inShell(url) : url,
  ]
  return `curl ${options.join(' \\\n  ')}\n`
}
