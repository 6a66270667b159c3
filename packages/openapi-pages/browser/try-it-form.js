// The form of an operation. A request that changes something is sent only by its own button, with values that the reader
// has entered.
import { codeBlock, h } from './elements.js'
import { languages } from './languages.js'
import { callOf, SegmentError } from './request.js'
import { bodyOf } from './try-it-body.js'
import { fieldOf, NotJson } from './try-it-fields.js'
import { keyFields } from './try-it-key.js'
import { requestOf, sendableOf, unsendable, unwritable } from './try-it-request.js'
import { responseParts, statusParts } from './try-it-response.js'
import { showInSamples } from './try-it-samples.js'

export { parseExactly } from './json.js'

const limit = 30_000
const keys = '[id^=try-it-key-]'
const parts = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' }

/** @param operation what the server describes: see operation-data.ts */
export function formOf(operation, /** @type {HTMLElement} */ button, /** @type {import('./try-it.js').Page} */ page) {
  const { keyOf, onAccess } = page
  const { id, method, isSafe, parameters, input, schemas } = operation
  const fields = parameters.map((parameter) => {
    const example = input[parts[parameter.in]][parameter.name] ?? parameter.schema?.example
    const isShared = parameters.some((one) => one !== parameter && one.name === parameter.name)
    const label = isShared && ` in the ${parameter.in}`
    const key = `try-it-${parameter.in}-${parameter.name}`
    const hint = unsendable(parameter)
    const required = parameter.required && !hint
    const field = fieldOf({ ...parameter, id: key, label, hint, required, example }, schemas)
    if (isSafe) field.write(example)
    const problems = () => [...field.problems(), ...(parameter.in === 'header' ? unwritable(field.read()) : [])]
    return { ...field, problems, parameter, example }
  })
  const hasNoBody = /^(GET|HEAD)$/.test(method)
  const body = operation.body && bodyOf(operation.body, schemas, isSafe)
  const access = keyFields(operation.alternatives, page, () => writeSamples())
  const submit = h('button', { type: 'submit', class: 'primary' })
  const cancelling = h('button', { type: 'button', class: 'cancel', onclick: cancel }, 'Cancel')
  const status = h('p', { class: 'status-line', role: 'status' })
  const response = h('div')
  const element = h(
    'form',
    { novalidate: true, 'data-operation': id, 'aria-label': `Try ${id}`, onsubmit: send, onkeydown, oninput },
    access.element,
    ...fields.map((field) => field.element),
    body?.element,
    body &&
      hasNoBody &&
      h('p', { class: 'hint' }, `A browser sends no body with ${method}: it is only in the samples.`),
    submit,
    cancelling,
    h('div', { class: 'try-it-response' }, status, response),
  )
  /** @type {AbortController | undefined} Of the request that is being sent. */
  let sending
  let isEdited = false
  setSending(undefined)
  const rewrite = () => isEdited && writeSamples()
  onAccess(rewrite)
  document.addEventListener('samples', rewrite)

  function setSending(/** @type {AbortController | undefined} */ controller) {
    sending = controller
    submit.textContent = sending ? 'Sending…' : `Send ${method}`
    submit.setAttribute('aria-disabled', String(Boolean(sending)))
    cancelling.hidden = !sending
  }

  /** What was entered, and examples in place of what is missing, if they are asked for. */
  function callWith(/** @type {boolean} */ hasExamples) {
    const entered = { path: {}, query: {}, headers: {}, cookies: {} }
    for (const { parameter, read, example } of fields) {
      const given = read()
      const value = given instanceof NotJson ? undefined : given
      const missing = hasExamples && parameter.required ? example : undefined
      if ((value ?? missing) !== undefined) entered[parts[parameter.in]][parameter.name] = value ?? missing
    }
    const credentials = access.credentials().filter(({ scheme }) => hasExamples || keyOf(scheme))
    return callOf(
      operation,
      { ...entered, ...body?.read(hasExamples) },
      page.baseUrl(operation.servers?.[0]),
      credentials,
    )
  }

  /** What a browser sends, the text as it was typed. */
  function sentCall() {
    const { body: sent, ...call } = sendableOf(callWith(false))
    const raw = body?.raw()
    return { ...call, body: raw === undefined || !sent ? sent : { type: sent.type, chunks: [raw] } }
  }

  function writeSamples() {
    isEdited = true
    if (operation.hasOwnSamples) return
    try {
      showInSamples(button, callWith(true))
    } catch (error) {
      if (!(error instanceof SegmentError)) throw error // beside its field when it is sent
    }
  }

  function oninput({ target }) {
    if (!target.matches(keys)) writeSamples()
  }

  /** Shows what is wrong. @returns what to send, if nothing is */
  function checked() {
    const found = fields.map((field) => field.problems())
    const ofBody = body?.problems() ?? []
    let call
    if ([...found, ofBody].every(({ length }) => length === 0)) {
      try {
        call = sentCall()
      } catch (error) {
        if (!(error instanceof SegmentError)) throw error
        found[fields.findIndex(({ parameter }) => parameter.name === error.parameter)] = [error.message]
      }
    }
    for (const [at, field] of fields.entries()) field.show(found[at])
    body?.show(ofBody)
    return call
  }

  async function send(event) {
    event.preventDefault()
    if (sending) return
    const call = checked()
    response.replaceChildren()
    status.replaceChildren()
    const wrong = element.querySelector('[name][aria-invalid=true]')
    if (!call) return wrong instanceof HTMLElement && wrong.focus()
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => controller.abort(`No response within ${limit / 1000} seconds`), limit)
    setSending(controller)
    writeSamples()
    const began = performance.now()
    try {
      const received = await fetch(...requestOf(call, keyOf, signal))
      const bytes = await received.blob()
      const milliseconds = Math.round(performance.now() - began)
      response.append(...(await responseParts(received, bytes)), sentPart(call))
      status.append(...statusParts(received, milliseconds))
    } catch {
      const reason = signal.aborted
        ? signal.reason
        : 'No response: this page cannot reach the server, or is not allowed to'
      response.append(sentPart(call))
      status.append(h('span', { class: 'error' }, `${reason}.`))
    }
    clearTimeout(timer)
    setSending(undefined)
  }

  function sentPart(call) {
    const command = String(languages[0]?.write(call)).trimEnd()
    return h('details', { class: 'sent' }, h('summary', {}, 'Request'), codeBlock('Request', command, 'sh'))
  }

  function cancel() {
    sending?.abort('Cancelled. The server may have received the request all the same')
    submit.focus()
  }

  /** Enter, unless held down, sends a safe request from its parameters, and presses buttons. */
  function onkeydown(event) {
    const { key, repeat, target } = event
    if (target.matches('textarea')) return
    const isSending = target.matches('button') || (target.matches('[name]') && isSafe)
    if (key === 'Enter' && (repeat || !isSending)) event.preventDefault()
  }

  return { element, focus: () => firstToFill(element)?.focus() }
}

/** The key or the first field that is required, if it is empty; else the last one. */
function firstToFill(/** @type {HTMLElement} */ form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input, textarea, select[name]')])
  return fields.find((field) => field.value === '' && (field.required || field.matches(keys))) ?? fields.at(-1)
}
