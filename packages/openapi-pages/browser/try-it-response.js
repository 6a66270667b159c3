// The response: status, body and headers as they arrived, and the request as a curl command.
import { access } from './access.js'
import { copyText } from './copy.js'
import { formatJson, tokensOf } from './json.js'
import { sending } from './try-it-form.js'

/** Longer bodies are cut: laying out megabytes freezes the page. */
const longest = 200_000

export const tryItResponse = ({ React: { createElement: h, useEffect, useState } }) => {
  function TryItResponse({ system: { specSelectors }, at }) {
    const [response, request] = [specSelectors.responseFor(...at), specSelectors.requestFor(...at)].map((map) =>
      map?.toJS(),
    )
    return h(
      'div',
      { className: 'try-it-response' },
      h('p', { className: 'status-line', role: 'status' }, response && statusOf(response)),
      request && h(Code, { label: 'Request', text: curlOf(request) }),
      response?.status && [h(Body, { key: 'body', response }), h(Headers, { key: 'headers', response })],
    )
  }

  function statusOf({ status, statusText, duration }) {
    if (!status) {
      const { aborted, reason } = sending.controller.signal
      const text = aborted ? `${reason}.` : 'No response: this page cannot reach the server, or is not allowed to.'
      return h('span', { className: 'error' }, text)
    }
    return [
      h('strong', { key: 'status', className: `status-${String(status)[0]}xx` }, [status, statusText].join(' ').trim()),
      h('span', { key: 'duration', className: 'hint' }, ` ${duration} ms`),
    ]
  }

  function Code({ label, text, tokens = [[undefined, text]] }) {
    return h(
      'div',
      { className: 'code' },
      // Stops here: the listener for the blocks of the page would copy it as well.
      h(
        'button',
        { type: 'button', className: 'copy', onClick: (event) => copy(event, text) },
        'Copy',
        h('span', { className: 'visually-hidden' }, ` the ${label.toLowerCase()}`),
      ),
      h(
        'pre',
        { tabIndex: 0, 'aria-label': label },
        h(
          'code',
          { className: 'language-json' },
          ...tokens.map(([kind, part]) => (kind ? h('span', { className: `token-${kind}` }, part) : part)),
        ),
      ),
    )
  }

  function copy(event, text) {
    event.nativeEvent.stopImmediatePropagation()
    copyText(event.currentTarget, text)
  }

  function Body({ response: { text } }) {
    if (typeof text !== 'string' || text === '') return h('p', { className: 'hint' }, noText(text))
    if (text.length > longest) return h(LongBody, { text })
    const shown = formatJson(text)
    return h(Code, { label: 'Response body', text: shown, tokens: tokensOf(shown) })
  }

  function LongBody({ text }) {
    const [url, setUrl] = useState('')
    useEffect(() => {
      const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
      setUrl(made)
      return () => URL.revokeObjectURL(made)
    }, [text])
    const start = text.slice(0, 20_000)
    return [
      h(
        'p',
        { key: 'download' },
        'The beginning of the response. ',
        h('a', { href: url, download: 'response.json' }, 'Download the whole response'),
      ),
      h(Code, { key: 'start', label: 'Response body', text: start }),
    ]
  }

  function Headers({ response: { headers } }) {
    // Swagger UI splits them at their commas
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    return h(
      'details',
      null,
      h('summary', null, `${lines.length} headers`),
      h(Code, { label: 'Response headers', text: lines.join('\n') }),
    )
  }

  /** Swagger UI turns a body that is not text, or empty, into a Blob. */
  function noText(body) {
    return body?.size > 0 ? `A body of ${body.size} bytes that is not text` : 'No body'
  }

  return { components: { TryItResponse } }
}

/** With the key as a variable: the command can be shared. */
function curlOf({ method, url, headers = {}, body }) {
  const lines = [
    `curl -i -X ${method} ${inShell(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !/^accept$/i.test(name))
      .map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body ? [`--data-raw ${inShell(body)}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** As it is if no character needs quotes; in double quotes if the key is part of it. */
function inShell(/** @type {string} */ text) {
  if (access.key && text.includes(access.key)) {
    const parts = text.split(access.key).map((part) => part.replace(/["$`\\]/g, '\\$&'))
    return `"${parts.join('$API_KEY')}"`
  }
  return /^[\w./:@%=,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
