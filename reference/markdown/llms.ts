// The index for language models, as https://llmstxt.org has it.
import type { Reference } from '../tree.ts'
import { joined } from './blocks.ts'

/** `root` is the address of the server, without a trailing slash. */
export function llmsText({ title, summary, guide, groups }: Reference, root: string): string {
  const link = (name: string, path: string, about: string) => `- [${name}](${root}${path})${about && `: ${about}`}`
  return `${joined(
    `# ${title}`,
    summary && `> ${summary}`,
    joined(
      '## Documentation',
      [
        link('Reference', '/docs.md', 'the guide, every operation, response and schema, in one file'),
        link('Changelog', '/docs/changelog.md', 'what has changed between the versions'),
        link('OpenAPI document', '/openapi.json', 'the same for programs; also as /openapi.yaml'),
      ].join('\n'),
    ),
    joined('## Guide', guide.map(({ id, title }) => link(title, `/docs#${id}`, '')).join('\n')),
    joined(
      '## Operations',
      groups
        .flatMap(({ operations }) => operations)
        .map(({ id, method, path, summary }) => link(`${method} ${path}`, `/docs#${id}`, summary))
        .join('\n'),
    ),
  )}\n`
}
