// Statements that no test can check, by the reason.
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
