// The reference as Markdown: the same content as the HTML, for agents and for reading without a browser.
import type { Group, Reference, SchemaPart, Section } from '../tree.ts'
import { block, exampleBlock, fieldTable, joined, typeInWords } from './blocks.ts'
import { operationText } from './operation.ts'

export function referenceMarkdown(reference: Reference): string {
  const { title, version, introduction, servers, license, guide, groups, headers, schemas } = reference
  return `${joined(
    `# ${title} ${version}`,
    introduction,
    ...servers.map(({ url, description }) => `Base URL: \`${url}\`${description && ` (${description})`}`),
    license && `License: ${license.url === undefined ? license.name : `[${license.name}](${license.url})`}`,
    ...guide.map(sectionText),
    ...groups.map(groupText),
    headers.length > 0 && joined('## Headers of every response', fieldTable('Header', headers)),
    schemas.length > 0 && joined('## Schemas', ...schemas.map(schemaText)),
  )}\n`
}

function sectionText({ title, text }: Section): string {
  return joined(`## ${title}`, text)
}

function groupText({ name, description, operations }: Group): string {
  return joined(`## ${name}`, description, ...operations.map(operationText))
}

function schemaText({ name, description, type, fields, example }: SchemaPart): string {
  return joined(
    `### ${name}`,
    description,
    fields.length > 0 ? fieldTable('Field', fields) : `Type: ${typeInWords(type)}`,
    type.values.length > 0 && type.values.map((value) => `- \`${value}\``).join('\n'),
    example !== undefined && exampleBlock('Example', block('json', example)),
  )
}
