// Samples in Python, with its standard library.
import type { Call } from './call.ts'

export function python({ method, url, credential, headers, body, hasResult }: Call): string {
  const isSafe = method === 'GET'
  const use = `with urlopen(request)${hasResult ? ' as response:\n    print(json.load(response))' : ':\n    print("done")'}\n`
  const sent = [
    ...(credential ? [`${JSON.stringify(credential.name)}: f"${credential.prefix}{os.environ['API_KEY']}"`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ]
  return `import json
${credential ? 'import os\n' : ''}${isSafe ? '' : 'from urllib.error import HTTPError\n'}from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(url)},
${isSafe ? '' : `    method="${method}",\n`}    headers={${sent.join(', ')}},
${body === undefined ? '' : `    data=${JSON.stringify(body)}.encode(),\n`})

${isSafe ? use : `try:\n${use.replace(/^(?=.)/gm, '    ')}except HTTPError as error:\n    print(json.load(error)["code"])\n`}`
}
