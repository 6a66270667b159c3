// Statements that no test can check, by the reason.
export const beyondTests: Record<string, string[]> = {
  'advice to clients': [
    'Put your API key into',
    'Cancel a pending one by its `id`',
    'Branch on `code`',
    'Cancel again: 204',
    'or a lost connection**',
    'Wait for `Retry-After`',
    'send them from your own server instead',
    'Everyone who can open a page',
    'Use it to try cancellations',
    'A generated client must accept',
    'Use the `petId` of the listed orders instead',
  ],
  'a promise about later versions': [
    'Later versions may add codes',
    'A code never changes its meaning',
    'later versions may add some',
    'planned for version 2',
    'Operations marked `x-stability`',
  ],
  'what the data of the operator mean': [
    'schema-Order: An order placed in the store.',
    'schema-Order-quantity: Number of units ordered.',
    'schema-Order-complete: Whether the order has been fulfilled.',
  ],
  'about the operator': ['API keys are issued by', 'only from origins that the operator has listed'],
  'about other software': ['Many JSON parsers'],
  'no operation takes a body yet': ['`unsupported_media_type`'],
  'another test covers it: test:contract, code-samples.test.ts, .ci/run start': [
    'oapi-codegen 2.8',
    'with bigint identifiers and errors by code',
    'To experiment anyway',
  ],
  'tried by hand': [
    'These generators were tried',
    'OpenAPI Generator 7.26, `go`',
    'OpenAPI Generator 7.26, `python`',
    'openapi-python-client 0.29',
    'openapi-typescript 7.13',
  ],
  'it follows from another statement': [
    'Every request can be repeated safely',
    'can leave the outcome unknown',
    'After any other 4xx',
  ],
}
