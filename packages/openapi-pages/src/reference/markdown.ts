// The reference as Markdown, with the content of the HTML, and the index for language models (https://llmstxt.org).
import { exampleServer } from '../server.ts'
import { allAlternatives, allFields } from './fields.ts'
import { code, list } from './texts.ts'
import type {
  BodyPart,
  Content,
  Field,
  Format,
  OperationPart,
  Reference,
  ResponsePart,
  SchemaPart,
  Type,
} from './tree.ts'

export function referenceMarkdown(reference: Reference): string {
  const { title, version, introduction, servers, about, guide, groups, responses, headers, schemes, schemas } =
    reference
  return `${joined(
    `# ${title} ${version}`,
    introduction,
    ...servers.map(({ url, description, variables }, at) => {
      const base = at === 0 && url.startsWith('/') ? exampleServer : url
      return joined(`Base URL: \`${base}\`${description && ` (${description})`}`, variables)
    }),
    ...about,
    ...groups.map(({ name, description, operations, entries, path }) =>
      joined(
        `## ${name}`,
        description,
        operations.length < entries.length && `${entries.length} operations: [${path}.md](${path}.md)`,
        ...operations.map(operationText),
      ),
    ),
    ...guide.map(({ title, text }) => joined(`## ${title}`, text.replace(drawing, '$1'))),
    responses.length > 0 && joined('## Common errors', ...responses.map(responseText)),
    headers.length > 0 && joined('## Response headers', fieldTable('Header', headers)),
    schemes.length > 0 && joined('## Security', ...schemes.map(({ name, text }) => joined(`### ${name}`, text))),
    schemas.length > 0 && joined('## Schemas', ...schemas.map(({ part }) => schemaText(part()))),
  )}\n`
}

/** Its text alternative stands for it. */
const drawing = /<svg\b.*?<title>(.*?)<\/title>.*?<\/svg>/gs

/** `root` is the address of the server, without a trailing slash. */
export function llmsText(
  { base, title, summary, guide, groups }: Reference,
  root: string,
  hasChangelog: boolean,
  document = 'openapi',
): string {
  const link = (name: string, path: string, about: string) => `- [${name}](${root}${path})${about && `: ${about}`}`
  const operations = groups.flatMap(({ path, entries }) => entries.map((each) => ({ ...each, page: path })))
  return `${joined(
    `# ${title}`,
    summary && `> ${summary}`,
    '## Documentation',
    [
      link('Reference', `${base}.md`, 'the guide, every operation, response and schema, in one file'),
      ...(hasChangelog ? [link('Changelog', `${base}/changelog.md`, 'what changed between the versions')] : []),
      link('OpenAPI document', `/${document}.json`, `the same for programs; also as /${document}.yaml`),
    ].join('\n'),
    '## Operations',
    operations
      .map(({ id, method, path, summary, page }) => link(`${method} ${path}`, `${page}.md#${id}`, summary))
      .join('\n'),
    '## Guide',
    guide.map(({ id, title }) => link(title, `${base}.md#${id}`, '')).join('\n'),
  )}\n`
}

/** The samples in one more language. */
export function samplesMarkdown(
  { groups }: Reference,
  { label, lang, samples }: { label: string; lang: string; samples(): ReadonlyMap<string, string> },
): string {
  const operations = groups.flatMap((group) => group.operations)
  const parts = operations.map(({ operationId, summary }) => {
    const source = samples().get(operationId)
    return source !== undefined && joined(`## ${summary}`, block(lang, source))
  })
  return `${joined(`# Samples in ${label}`, ...parts)}\n`
}

function operationText(operation: OperationPart): string {
  const { method, path, summary, description, badges, notice, access, parameters, body, samples } = operation
  const { responses, shared, callbacks } = operation
  return joined(
    `### ${summary}`,
    [`\`${method} ${path}\``, ...badges.map(({ text }) => text)].join(', '),
    notice !== undefined && `> ${notice}`,
    description,
    access,
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
    ...callbacks.map(({ name, operations }) => joined(`#### Callback ${name}`, ...operations.map(operationText))),
  )
}

function responseText({ status, reason, description, headers, formats, links }: ResponsePart): string {
  return joined(
    `##### ${status} ${reason}`.trimEnd(),
    description,
    ...formats.map(formatText),
    headers.length > 0 && `Headers: ${headers.map((name) => `\`${name}\``).join(', ')}`,
    links !== '' && joined('What can follow:', links),
    ...formats.flatMap(({ examples }) => examples.map(exampleText)),
  )
}

function bodyText({ isRequired, description, formats }: BodyPart): string {
  return joined(
    `#### Request body${isRequired ? ' (required)' : ''}`,
    description,
    ...formats.map(formatText),
    ...formats.flatMap(({ examples }) => examples.map(exampleText)),
  )
}

function exampleText({ summary, description, url, text, lang }: Format['examples'][number]): string {
  return exampleBlock(summary, joined(description, url ?? block(lang, text)))
}

function formatText({ mediaType, type, description, content }: Format): string {
  return joined(`Body: ${typeInWords(type)}, \`${mediaType}\``, description, valuesText(type), contentText(content))
}

function contentText(content: Content): string {
  const rows = allFields(content)
  const alternatives = allAlternatives(content).map(({ name, type, description }) =>
    joined(`Alternative ${name}: ${typeInWords(type)}.`, valuesText(type), description),
  )
  return joined(rows.length > 0 && fieldTable('Field', rows), list(alternatives))
}

function schemaText({ name, description, type, content, examples }: SchemaPart): string {
  return joined(
    `### ${name}`,
    description,
    (content.fields.length === 0 || type.constraints.length > 0) && `Type: ${typeInWords(type)}`,
    contentText(content),
    toldValues(type)
      .map((value) => `- ${value}`)
      .join('\n'),
    ...examples.map((example) => exampleBlock('Example', block('json', example))),
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
function valuesText(type: Type): string | false {
  return type.values.length > 0 && type.schemaId === undefined && `One of ${toldValues(type).join(', ')}.`
}

const toldValues = ({ values, meanings }: Type) =>
  values.map((value, at) => `\`${value}\`${meanings[at] ? ` (${meanings[at]})` : ''}`)

function fieldTable(heading: string, fields: readonly Field[]): string {
  const rows = fields.map(({ name, location, type, isRequired, isCondition, description, examples }) => [
    `${isCondition ? `*${name}*` : code(name)}${isRequired ? ' (required)' : ''}`,
    location === '' ? typeInWords(type) : `${typeInWords(type)}, in ${location}`,
    joined(description, valuesText(type), examples.length > 0 && `Example: ${examples.map(code).join(', ')}`),
  ])
  return [[heading, 'Type', 'Meaning'], ['---', '---', '---'], ...rows].map(rowOf).join('\n')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
