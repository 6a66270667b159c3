// The reference as Markdown, with the content of the HTML, and the index for language models (https://llmstxt.org).
import { allFields } from './fields.ts'
import type { BodyPart, Field, Format, OperationPart, Reference, ResponsePart, SchemaPart, Type } from './tree.ts'

export function referenceMarkdown(reference: Reference): string {
  const { title, version, introduction, servers, license, guide, groups, responses, headers, schemas } = reference
  return `${joined(
    `# ${title} ${version}`,
    introduction,
    ...servers.map(({ url, description }) => `Base URL: \`${url}\`${description && ` (${description})`}`),
    license && `License: ${license.url === undefined ? license.name : `[${license.name}](${license.url})`}`,
    ...groups.map(({ name, description, operations, count, path }) =>
      joined(
        `## ${name}`,
        description,
        operations.length < count && `${count} operations: [${path}.md](${path}.md)`,
        ...operations.map((each) => operationText(each, reference)),
      ),
    ),
    ...guide.map(({ title, text }) => joined(`## ${title}`, text.replace(drawing, '$1'))),
    responses.length > 0 && joined('## Common errors', ...responses.map(responseText)),
    headers.length > 0 && joined('## Response headers', fieldTable('Header', headers)),
    schemas.length > 0 && joined('## Schemas', ...schemas.map(schemaText)),
  )}\n`
}

/** Its text alternative stands for it. */
const drawing = /<svg\b.*?<title>(.*?)<\/title>.*?<\/svg>/gs

/** `root` is the address of the server, without a trailing slash. */
export function llmsText({ title, summary, guide, groups }: Reference, root: string, hasChangelog: boolean): string {
  const link = (name: string, path: string, about: string) => `- [${name}](${root}${path})${about && `: ${about}`}`
  const operations = groups.flatMap(({ path, operations }) => operations.map((each) => ({ ...each, page: path })))
  return `${joined(
    `# ${title}`,
    summary && `> ${summary}`,
    '## Documentation',
    [
      link('Reference', '/docs.md', 'the guide, every operation, response and schema, in one file'),
      ...(hasChangelog ? [link('Changelog', '/docs/changelog.md', 'what changed between the versions')] : []),
      link('OpenAPI document', '/openapi.json', 'the same for programs; also as /openapi.yaml'),
    ].join('\n'),
    '## Operations',
    operations
      .map(({ id, method, path, summary, page }) => link(`${method} ${path}`, `${page}#${id}`, summary))
      .join('\n'),
    '## Guide',
    guide.map(({ id, title }) => link(title, `/docs#${id}`, '')).join('\n'),
  )}\n`
}

/** The samples in one more language. */
export function samplesMarkdown(
  { groups }: Reference,
  { label, lang, samples }: { label: string; lang: string; samples(): ReadonlyMap<string, string> },
): string {
  const operations = groups.flatMap((group) => group.operations)
  const parts = operations.map(({ id, summary }) => {
    const source = samples().get(id)
    return source !== undefined && joined(`## ${summary}`, block(lang, source))
  })
  return `${joined(`# Samples in ${label}`, ...parts)}\n`
}

function operationText(operation: OperationPart, { responses: shared }: Reference): string {
  const { method, path, summary, description, badges, notice, parameters, body, samples, responses } = operation
  return joined(
    `### ${summary}`,
    [`\`${method} ${path}\``, ...badges.map(({ text }) => text)].join(', '),
    notice !== undefined && `> ${notice}`,
    description,
    parameters.length > 0 && joined('#### Parameters', fieldTable('Parameter', parameters)),
    body && bodyText(body),
    samples.length > 0 &&
      joined(
        '#### Code samples',
        ...samples.map(({ lang, label, source }) => exampleBlock(label, block(lang.toLowerCase(), source))),
      ),
    '#### Responses',
    ...responses.map(responseText),
    shared.length > 0 && `Errors that every operation can return: ${shared.map(({ status }) => status).join(', ')}.`,
  )
}

function responseText({ status, reason, description, headers, formats }: ResponsePart): string {
  return joined(
    `##### ${status} ${reason}`.trimEnd(),
    description,
    ...formats.map(formatText),
    headers.length > 0 && `Headers: ${headers.map((name) => `\`${name}\``).join(', ')}`,
    ...formats.flatMap(({ examples }) =>
      examples.map(({ summary, text, lang }) => exampleBlock(summary, block(lang, text))),
    ),
  )
}

function bodyText({ isRequired, description, formats }: BodyPart): string {
  return joined(
    `#### Request body${isRequired ? ' (required)' : ''}`,
    description,
    ...formats.map(formatText),
    ...formats.flatMap(({ examples }) =>
      examples.map(({ summary, text, lang }) => exampleBlock(summary, block(lang, text))),
    ),
  )
}

function formatText({ mediaType, type, content }: Format): string {
  const rows = allFields(content)
  return joined(`Body: ${typeInWords(type)}, \`${mediaType}\``, rows.length > 0 && fieldTable('Field', rows))
}

function schemaText({ name, description, type, content, example }: SchemaPart): string {
  const fields = allFields(content)
  return joined(
    `### ${name}`,
    description,
    fields.length > 0 ? fieldTable('Field', fields) : `Type: ${typeInWords(type)}`,
    type.values.length > 0 && type.values.map((value) => `- \`${value}\``).join('\n'),
    example !== undefined && exampleBlock('Example', block('json', example)),
  )
}

/** The parts that have a text, separated by blank lines. */
function joined(...parts: readonly (string | false | undefined)[]): string {
  return parts
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The fence is longer than any in the text. */
export function block(lang: string, text: string): string {
  const fences = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...fences.map(({ length }) => length + 1)))
  return `${fence}${lang}\n${text.trimEnd()}\n${fence}`
}

function exampleBlock(label: string, code: string): string {
  return `${label}:\n\n${code}`
}

function typeInWords({ name, isArray, constraints }: Type): string {
  const words = constraints.map((text) => text.replace(/^pattern (.*)$/, 'pattern `$1`'))
  return [`${isArray ? 'array of ' : ''}${name}`, ...words].join(', ')
}

/** Those of a named schema are listed there. */
function valuesText({ values, schemaId }: Type): string | false {
  return values.length > 0 && schemaId === undefined && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`
}

function fieldTable(heading: string, fields: readonly Field[]): string {
  const rows = fields.map(({ name, place, type, isRequired, description, example }) => [
    `\`${name}\`${isRequired ? ' (required)' : ''}`,
    place === '' ? typeInWords(type) : `${typeInWords(type)}, in ${place}`,
    joined(description, valuesText(type), example !== undefined && `Example: \`${example}\``),
  ])
  return [[heading, 'Type', 'Meaning'], ['---', '---', '---'], ...rows].map(rowOf).join('\n')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
