// Samples in PHP, with its extension curl.
import type { Call } from './call.ts'

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

export function php({ method, url, credential, headers, body }: Call): string {
  const sent = [
    ...(credential ? [`${quoted(`${credential.name}: ${credential.prefix}`)} . getenv('API_KEY')`] : []),
    ...headers.map(([name, value]) => quoted(`${name}: ${value}`)),
  ]
  return `<?php

$request = curl_init(${quoted(url)});
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_HTTPHEADER => [${sent.join(', ')}],
${body === undefined ? '' : `    CURLOPT_POSTFIELDS => ${quoted(body)},\n`}    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\\n", $body, "\\n";
`
}
