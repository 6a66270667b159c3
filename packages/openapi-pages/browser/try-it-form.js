// The layout of Swagger UI: a form that sends one operation. Swagger UI keeps and checks its values and sends the request.
// A request that changes something is sent only by its own button, with values that the reader has entered.
import { parameterProblems } from './check-parameter.js'
import { showInSamples } from './samples.js'
import { bodyProblems, encoded, exactly } from './try-it-body.js'
import { enteredIn, exampleOfParameter, isSafe } from './try-it-fields.js'

const limit = 30_000

/** The request that is being sent: it can be cancelled, and ends after the limit. */
export const sending = {
  controller: new AbortController(),
  /** @type {string | undefined} As it is sent: Swagger UI would round the numbers of a form. */
  body: undefined,
  start() {
    const controller = new AbortController()
    sending.controller = controller
    setTimeout(() => controller.abort(`No response within ${limit / 1000} seconds`), limit)
    return controller.signal
  },
}

/** The state in Swagger UI's store: the operation that the form shows, and how often one was opened. */
export const tryItState = () => ({
  statePlugins: {
    tryIt: {
      actions: { show: (/** @type {string} */ operationId) => ({ type: 'try_it_show', payload: operationId }) },
      reducers: {
        try_it_show: (state, { payload }) =>
          state.set('operationId', payload).update('openings', (count = 0) => count + 1),
      },
      selectors: { operationId: (state) => state.get('operationId'), openings: (state) => state.get('openings') },
    },
  },
})

export const tryItForm = ({ React: { createElement: h, useEffect, useLayoutEffect, useRef, useState } }) => {
  function TryIt(system) {
    const { specSelectors, specActions, tryItSelectors } = system
    const found = specSelectors
      .operations()
      .find((each) => each.getIn(['operation', 'operationId']) === tryItSelectors.operationId())
    const at = found && [found.get('path'), found.get('method')]
    const operation = at && specSelectors.specResolvedSubtree(['paths', ...at])
    useEffect(() => {
      if (at && !operation) specActions.requestResolvedSubtree(['paths', ...at])
    })
    return operation ? h(Form, { key: at.join(' '), system, at, operation }) : h('p', { className: 'hint' }, 'Loading…')
  }

  function Form({ system, at, operation }) {
    const { oas3Selectors, specActions, specSelectors, tryItSelectors, getComponent } = system
    const [isBusy, setBusy] = useState(false)
    const [rejections, reject] = useState(0)
    const [problems, setProblems] = useState(/** @type {Record<string, string[]>} */ ({}))
    const form = useRef()
    const parameters = operation.get('parameters')?.toArray() ?? []
    const hasBody = operation.has('requestBody')
    const [path, method] = at

    useLayoutEffect(() => firstToFill(form.current).focus(), [tryItSelectors.openings()])
    useEffect(() => form.current.querySelector('[name][aria-invalid=true]')?.focus(), [rejections])

    async function send(event) {
      event.preventDefault()
      if (isBusy) return
      const text = oas3Selectors.requestBodyValue(...at) ?? ''
      const found = {
        ...Object.fromEntries(parameters.map((parameter) => [keyOf(parameter), problemsOf(parameter)])),
        body: hasBody ? bodyProblems(text, operation, at, specSelectors.specStr()) : [],
      }
      setProblems(found)
      if (Object.values(found).every(({ length }) => length === 0)) {
        setBusy(true)
        sending.body = hasBody && text.trim() !== '' ? encoded(text, operation) : undefined
        for (const parameter of parameters) {
          const value = enteredIn(specSelectors, at, parameter)
          if (typeof value === 'string')
            showInSamples(operation.get('operationId'), exampleOfParameter(parameter), value)
        }
        await specActions.execute({ operation, path, method })
        setBusy(false)
      } else {
        specActions.clearResponse(...at)
        reject(rejections + 1)
      }
    }

    function problemsOf(parameter) {
      const texts = [enteredIn(specSelectors, at, parameter) ?? ''].flat().filter((text) => text !== '')
      const place = { path, method, in: parameter.get('in'), name: parameter.get('name') }
      return parameterProblems(texts, place, exactly(specSelectors.specStr()))
    }

    /** Enter, unless held down, sends a safe request from its parameters, and presses buttons. */
    function onKeyDown(event) {
      const { key, repeat, target } = event
      if (target.matches('textarea')) return
      const isSending = target.matches('button') || (target.matches('[name]') && isSafe(method))
      if (key === 'Enter' && (repeat || !isSending)) event.preventDefault()
    }

    function cancel() {
      sending.controller.abort('Cancelled. The server may have received the request all the same')
      form.current.querySelector('[type=submit]').focus()
    }

    return h(
      'form',
      {
        ref: form,
        onSubmit: send,
        onKeyDown,
        noValidate: true,
        'data-operation': operation.get('operationId'),
        'aria-label': `Try ${operation.get('operationId')}`,
      },
      h(getComponent('TryItKey')),
      ...parameters.map((parameter) => {
        const key = keyOf(parameter)
        const isNameShared = parameters.some((one) => one !== parameter && one.get('name') === parameter.get('name'))
        const more = { isNameShared, problems: problems[key] ?? [] }
        return h(getComponent('TryItParameter'), { key, system, at, parameter, ...more })
      }),
      hasBody && h(getComponent('TryItBody'), { system, at, operation, problems: problems.body ?? [] }),
      h(
        'button',
        { type: 'submit', className: 'primary', 'aria-disabled': isBusy },
        isBusy ? 'Sending…' : `Send ${method.toUpperCase()}`,
      ),
      isBusy && h('button', { type: 'button', className: 'cancel', onClick: cancel }, 'Cancel'),
      h(getComponent('TryItResponse'), { system, at }),
    )
  }

  return { components: { TryIt } }
}

const keyOf = (parameter) => `${parameter.get('in')} ${parameter.get('name')}`

/** The first empty field, else the last one. */
function firstToFill(form) {
  const fields = [...form.querySelectorAll('input, textarea')]
  return fields.find(({ value }) => value === '') ?? fields.at(-1)
}
