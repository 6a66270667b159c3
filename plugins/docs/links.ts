// The Link header of the documentation (RFC 8288), and the address that it names as canonical.
import type { FastifyReply } from 'fastify'

/** The origin of the canonical copy (RFC 6596), as the ports of the domains have put it into the header; else ''. */
export function canonicalOrigin({ raw }: FastifyReply): string {
  const [, url = ''] = /^<([^>]*)>; rel="canonical"$/.exec(String(raw.getHeader('link'))) ?? []
  return URL.canParse(url) ? new URL(url).origin : ''
}

/** `path` is that of the page, also for its Markdown, whose canonical form it is. `root` leads to the server's root. */
export function linksOf(path: string, root: string, origin: string): string {
  return [
    ...(origin ? [`<${origin}${path}>; rel="canonical"`] : []),
    `<${root}openapi.json>; rel="service-desc"; type="application/json"`, // RFC 8631
    `<${root}openapi.yaml>; rel="service-desc"; type="application/yaml"`,
    `<${root}${path.slice(1)}.md>; rel="alternate"; type="text/markdown"`,
    `<${root}.well-known/api-catalog>; rel="api-catalog"`, // RFC 9727
  ].join(', ')
}
