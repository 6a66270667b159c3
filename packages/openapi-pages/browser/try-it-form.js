// The form of an operation. A request that changes something is sent only by its own button, with values that the reader
// has entered.
import { copyText } from './copy.js'
import { codeBlock, h } from './elements.js'
import { parseExactly, stringifyExactly } from './json.js'
import { languages } from './languages.js'
import { callOf, SegmentError } from './request.js'
import { bodyOf } from './try-it-body.js'
import { lineOf, problemsIn } from './try-it-errors.js'
import { fieldOf, NotJson } from './try-it-fields.js'
import { keyFields } from './try-it-key.js'
import { notSent, requestOf, sendableOf, unsendable, unwritable } from './try-it-request.js'
import { received, responseParts, statusParts } from './try-it-response.js'
import { showInSamples } from './try-it-samples.js'

/** The operation, as the server writes it. */
export const readOperation = (/** @type {string} */ text) => parseExactly(text)

/** After so long without anything, the form says so, and waits on. */
const silence = 30_000
const keys = '[id^=try-it-key-]'
const parts = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' }

/** @param operation what the server describes: see operation-data.ts */
export function formOf(operation, /** @type {HTMLElement} */ button, /** @type {import('./try-it.js').Page} */ page) {
  const { keyOf, onAccess } = page
  const { id, method, isSafe, parameters, input, schemas } = operation
  const fields = parameters.map((parameter) => {
    const example = input[parts[parameter.in]][parameter.name] ?? parameter.schema?.example
    const isShared = parameters.some((other) => other !== parameter && other.name === parameter.name)
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
  const link = /** @type {HTMLButtonElement} */ (
    h('button', { type: 'button', class: 'copy-link', onclick: copyLink }, 'Copy link')
  )
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
    link,
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
      const entry = read()
      const value = entry instanceof NotJson ? undefined : entry
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
    const problems = fields.map((field) => field.problems())
    const ofBody = body?.problems() ?? []
    let call
    if ([...problems, ofBody].every(({ length }) => length === 0)) {
      try {
        call = sentCall()
      } catch (error) {
        if (!(error instanceof SegmentError)) throw error
        problems[fields.findIndex(({ parameter }) => parameter.name === error.parameter)] = [error.message]
      }
    }
    for (const [at, field] of fields.entries()) field.show(problems[at])
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
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    let isQuiet = false
    let parts = []
    const say = (...more) => status.replaceChildren(...parts, ...more)
    const heard = () => {
      clearTimeout(timer)
      if (isQuiet) say()
      isQuiet = false
      const text = `${parts.length > 0 ? 'Nothing more' : 'No response'} for ${silence / 1000} seconds. Wait on, or cancel.`
      timer = setTimeout(() => {
        isQuiet = true
        say(h('span', { class: 'hint' }, ` ${text}`))
      }, silence)
    }
    heard()
    setSending(controller)
    writeSamples()
    const began = performance.now()
    try {
      const answer = await fetch(...requestOf(call, keyOf, signal))
      parts = statusParts(answer)
      say()
      heard()
      const { bytes, isWhole } = await received(answer, response, heard)
      response.replaceChildren(...(await responseParts(answer, bytes)), sentPart(call))
      const milliseconds = Math.round(performance.now() - began)
      if (isWhole) say(h('span', { class: 'hint' }, ` ${milliseconds} ms`))
      else
        say(h('span', { class: 'error' }, ` ${signal.aborted ? 'Cancelled' : 'The connection broke'} before its end.`))
      if (/^4/.test(String(answer.status))) showProblems(problemsIn(await bytes.text()))
    } catch {
      const reason = signal.aborted
        ? 'Cancelled. The server may have received the request all the same'
        : 'No response: this page cannot reach the server, or is not allowed to'
      response.append(sentPart(call))
      say(h('span', { class: 'error' }, `${reason}.`))
    }
    clearTimeout(timer)
    setSending(undefined)
  }

  /** What a server says of the fields, beside them. */
  function showProblems(/** @type {import('./try-it-errors.js').Problem[]} */ problems) {
    for (const { parameter, show } of fields) {
      const isOwn = ({ in: location, path }) =>
        path.at(location ? 0 : -1)?.toLowerCase() === parameter.name.toLowerCase() &&
        (location || parameter.in) === parameter.in
      show(problems.filter(isOwn).map(({ text }) => text))
    }
    const ofBody = problems.filter(({ in: location, path }) => location === 'body' || (!location && body?.has(path[0])))
    body?.show(ofBody.map(lineOf))
  }

  function sentPart(call) {
    const command = String(languages[0]?.write(call)).trimEnd()
    const left = notSent(callWith(false))
    return h(
      'details',
      { class: 'sent' },
      h('summary', {}, 'Request'),
      codeBlock('Request', command, 'sh'),
      left.length > 0 && h('p', { class: 'hint' }, `Not sent, as a browser lets no page set them: ${left.join(', ')}.`),
    )
  }

  function cancel() {
    sending?.abort()
    submit.focus()
  }

  /** Enter, unless held down, sends a safe request from its parameters, and presses buttons. */
  function onkeydown(event) {
    const { key, repeat, target } = event
    if (target.matches('textarea')) return
    const isSending = target.matches('button') || (target.matches('[name]') && isSafe)
    if (key === 'Enter' && (repeat || !isSending)) event.preventDefault()
  }

  /** To this form with its values, but for keys and passwords. */
  function copyLink() {
    const values = [
      ...fields
        .filter(({ parameter }) => !isSecret(operation, parameter))
        .map((field) => [nameIn(field), field.read()]),
      ...(body?.values() ?? []),
    ]
    const pairs = values.flatMap(([name, value]) => {
      const isWritten = value !== undefined && !(value instanceof NotJson) && ![value].flat().some(isFile)
      return isWritten ? [[name, stringifyExactly(value)]] : []
    })
    const target = button.closest('.operation')?.id ?? id
    history.replaceState(null, '', `#try/${encodeURIComponent(target)}?${new URLSearchParams(pairs)}`)
    void copyText(link, location.href)
  }

  /** What is missing is left empty. */
  function fill(/** @type {URLSearchParams} */ values) {
    const valueIn = (/** @type {string} */ name) => {
      try {
        return parseExactly(String(values.get(name)))
      } catch {
        return undefined // cut, or not one of ours
      }
    }
    for (const field of fields) field.write(valueIn(nameIn(field)) ?? undefined)
    body?.fill(valueIn('type'), valueIn('body'))
    writeSamples()
  }

  return { element, fill, focus: () => firstToFill(element)?.focus() }
}

const nameIn = ({ parameter }) => `${parameter.in}.${parameter.name}`
const isFile = (/** @type {unknown} */ value) => value instanceof Blob

/** Some documents have keys as parameters, beside their security scheme. */
function isSecret({ alternatives }, { in: location, name, schema }) {
  const isKey = (key) => key.in === location && key.name.toLowerCase() === name.toLowerCase()
  return schema?.format === 'password' || alternatives.some(({ credentials }) => credentials.some(isKey))
}

/** The key or the first field that is required, if it is empty; else the last one. */
function firstToFill(/** @type {HTMLElement} */ form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input, textarea, select[name]')])
  return fields.find((field) => field.value === '' && (field.required || field.matches(keys))) ?? fields.at(-1)
}
