// What a reader needs first: the base URL, a field for the API key, and the document to download.
import type { Server } from '../tree.ts'
import { type Html, html } from './markup.ts'

/** A choice where there are several servers. The field for the key needs a script, as everything that is tried. */
export function access(servers: readonly Server[], root: string): Html {
  const url = (server: Server) => (server.url.startsWith('/') ? `${root}${server.url.slice(1)}` : server.url)
  const [first, ...others] = servers
  const chosen =
    first && others.length === 0
      ? html`<p class="field"><span class="label">Base URL</span> <code class="server-url" data-url="${url(first)}">${first.url}</code></p>`
      : html`<p class="field"><label for="server">Base URL</label> <select id="server" autocomplete="off">${servers.map(
          (server) =>
            html`<option data-url="${url(server)}">${server.url}${server.description !== '' && ` (${server.description})`}</option>`,
        )}</select></p>`
  return html`<form class="access" aria-label="Server and API key">
${servers.length > 0 && chosen}
<p class="field needs-script"><label for="api-key">API key</label> <input id="api-key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-hint">
<output class="hint" for="api-key" id="key-hint">Kept in memory until you leave the page.</output></p>
</form>
`
}

export function pageActions(root: string): Html {
  return html`<p class="page-actions"><button type="button" class="copy-page needs-script" data-url="${root}docs.md">Copy page as Markdown</button>
<span>Download: <a href="${root}openapi.json" download="openapi.json">openapi.json</a>, <a href="${root}openapi.yaml" download="openapi.yaml">openapi.yaml</a></span>
<a href="${root}docs/changelog">Changelog</a></p>
`
}
