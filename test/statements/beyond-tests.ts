// Statements that no test can check, by the reason.
export const beyondTests: Record<string, string[]> = {
  'advice to clients': [
    'Put your API key into',
    'Cancel a pending one by its `id`',
    'Branch on `code`',
    'or a lost connection**',
    'send them from your own server instead',
    'Everyone who can open a page',
    'Begin with the [quick start]',
    'Pack it in the repository',
    'A generated client must accept',
    'Use the `petId` of the listed orders instead',
  ],
  'a promise about later versions': [
    'Later versions may add codes',
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
  'a file of the repository has them': ['lists tried generators'],
  'another test covers it: code-samples.test.ts, .ci/run start': [
    'with bigint identifiers and errors by code',
    'start a server from the repository',
  ],
}
