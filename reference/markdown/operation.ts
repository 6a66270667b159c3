// An operation as Markdown.
import type { OperationPart, ResponsePart } from '../tree.ts'
import { block, exampleBlock, fieldTable, joined, typeInWords } from './blocks.ts'

export function operationText(operation: OperationPart): string {
  const { method, path, summary, description, badges, notice, parameters, samples, responses } = operation
  return joined(
    `### ${summary}`,
    [`\`${method} ${path}\``, ...badges.map(({ text }) => text)].join(', '),
    notice !== undefined && `> ${notice}`,
    description,
    parameters.length > 0 && joined('#### Parameters', fieldTable('Parameter', parameters)),
    samples.length > 0 &&
      joined(
        '#### Code samples',
        ...samples.map(({ lang, label, source }) => exampleBlock(label, block(lang.toLowerCase(), source))),
      ),
    '#### Responses',
    ...responses.map(responseText),
  )
}

function responseText({ status, reason, description, headers, type, examples }: ResponsePart): string {
  return joined(
    `##### ${status} ${reason}`.trimEnd(),
    description,
    type && `Body: ${typeInWords(type)}, \`application/json\``,
    headers.length > 0 && fieldTable('Header', headers),
    ...examples.map(({ summary, text }) => exampleBlock(summary, block('json', text))),
  )
}
