// The response to a request that was sent: status, body and headers as they came over the wire.
import { copyText } from './copy.js'
import { formatJson } from './format-json.js'
import { tokensOf } from './highlight.js'

export const tryItAnswer = ({ React: { createElement: h } }) => {
  function TryItAnswer({ system: { specSelectors }, at }) {
    const [response, request] = [specSelectors.responseFor(...at), specSelectors.requestFor(...at)].map((map) =>
      map?.toJS(),
    )
    return h(
      'div',
      { className: 'answer' },
      h('p', { className: 'status-line', role: 'status' }, response && statusOf(response)),
      response && request && h('p', { className: 'request' }, `${request.method} ${request.url}`),
      response?.status && [h(Body, { key: 'body', response }), h(Headers, { key: 'headers', response })],
    )
  }

  function statusOf({ status, statusText, duration }) {
    if (!status) {
      return h(
        'span',
        { className: 'error' },
        'No response: the server cannot be reached, or does not accept requests from this page.',
      )
    }
    return [
      h('strong', { key: 'status', className: `status-${String(status)[0]}xx` }, [status, statusText].join(' ').trim()),
      h('span', { key: 'duration', className: 'hint' }, ` ${duration} ms`),
    ]
  }

  function Body({ response: { text } }) {
    if (typeof text !== 'string' || text === '') return h('p', { className: 'hint' }, noText(text))
    const shown = formatJson(text)
    return h(
      'div',
      { className: 'code' },
      h(
        'button',
        { type: 'button', className: 'copy', onClick: ({ currentTarget }) => copyText(currentTarget, shown) },
        'Copy',
      ),
      h(
        'pre',
        { tabIndex: 0, 'aria-label': 'Response body' },
        h(
          'code',
          { className: 'language-json' },
          ...tokensOf(shown, 'json').map(([kind, part]) =>
            kind ? h('span', { className: `token-${kind}` }, part) : part,
          ),
        ),
      ),
    )
  }

  function Headers({ response: { headers } }) {
    const rows = Object.entries(headers).map(([name, value]) =>
      // Swagger UI splits them at their commas
      h('div', { key: name }, h('dt', null, name), h('dd', null, [value].flat().join(', '))),
    )
    return h('details', null, h('summary', null, `${rows.length} headers`), h('dl', { className: 'headers' }, rows))
  }

  /** Swagger UI makes a Blob of what is not text, and of nothing. */
  function noText(body) {
    return body?.size > 0 ? `A body of ${body.size} bytes that is not text` : 'No body'
  }

  return { components: { TryItAnswer } }
}
