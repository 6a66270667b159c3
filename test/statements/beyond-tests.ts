// Statements without a check here: what no test can check, by the reason, and what tests of the parts check, by their titles.
export const beyondTests: Record<string, string[]> = {
  'advice to clients': [
    'Put your API key into `API_KEY`, then list the orders:',
    'Cancel a pending one by its `id`:',
    'Branch on `code`; `message` is for humans and may change.',
    '**Repeat a request after 408, 429, 502, 503, 504 or a lost connection**, a few times at most: after `Retry-After` seconds, or else with exponential backoff and jitter.',
    'Everyone who can open a page can read the API key in it.',
    'Begin with the [quick start](#quick-start).',
    'Pack it in the repository of this service, and install it in your project:',
    'A generated client must accept fields and codes that it does not know.',
    'Use the `petId` of the listed orders instead.',
  ],
  'a promise about later versions': [
    'Later versions may add codes: handle an unknown code by its `status`.',
    'schema-Error-code: Later versions may add codes.',
    'schema-ErrorCode: Later versions may add codes.',
    '**Ignore fields that you do not know**: later versions may add some.',
    'Operations marked `x-stability` (`experimental` or `beta`) may change.',
  ],
  'what the data of the operator mean': [
    'schema-Order: An order placed in the store.',
    'schema-Order-quantity: Number of units ordered.',
    'schema-Order-complete: Whether the order has been fulfilled.',
  ],
  'about the operator': [
    'API keys are issued by the operator of the service.',
    'Browsers can call the API only from origins that the operator has listed.',
  ],
  'about other software': [
    "Many JSON parsers, including JavaScript's `JSON.parse`, round integers beyond 2^53: parse them as big integers.",
  ],
  'a file of the repository has them': [
    'The README of `store-orders-client` lists tried generators for Go, Python and TypeScript.',
  ],
  'another test covers it: code-samples.test.ts, .ci/run start': [
    'For JavaScript and TypeScript there is `store-orders-client`, with bigint identifiers and errors by code.',
    'Otherwise, start a server from the repository of this service: it comes with sample orders and a key of its own.',
  ],
}

export const coveredBy: Record<string, string[]> = {
  'packages/http-edge/test/gcra.test.ts: a rejected request does not count, and shows when one is accepted': [
    '`Retry-After` is the time until one is accepted.',
  ],
  'packages/http-edge/test/request-id.test.ts: a safe id of the client is taken from the named header': [
    '**Every response has an `X-Request-Id`**: the one that you sent (1 to 64 characters of `A-Z a-z 0-9 . _ -`), or a new one.',
  ],
  'test/packages/http-edge/fastify/cors.test.ts: a page of another origin cannot read responses': [
    'Requests from other pages fail without a status; send them from your own server instead.',
  ],
  'test/plugins/rate-limits.test.ts: an address with too many invalid keys gets 429 for further ones; valid keys still work':
    ['Too many requests with invalid keys from one address are rejected, too.', 'Valid keys keep working there.'],
  'test/plugins/rate-limits.test.ts: requests without a valid key and other paths have no quota': [
    'If the operator has set a quota, the response to every authenticated request states it:',
    'headers-RateLimit-Policy: Sent if the operator of the service has set one and the request has been authenticated.',
  ],
}
