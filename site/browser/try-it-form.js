// The layout of Swagger UI: a form that sends one operation. Swagger UI keeps and checks its values and sends the request.
// A request that changes something is sent only by its own button, with values that the reader has entered.
import { access, enterKey, onAccess, verdictText } from './access.js'
import { showInSamples } from './samples.js'

const limit = 30_000

/** The request that is being sent: it can be cancelled, and ends after the limit. */
export const sending = {
  controller: new AbortController(),
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
    const { specActions, specSelectors, tryItSelectors, getComponent } = system
    const [isBusy, setBusy] = useState(false)
    const [rejections, reject] = useState(0)
    const form = useRef()
    const parameters = operation.get('parameters')?.toArray() ?? []
    const [path, method] = at

    useLayoutEffect(() => firstToFill(form.current).focus(), [tryItSelectors.openings()])
    useEffect(() => form.current.querySelector('[name][aria-invalid=true]')?.focus(), [rejections])

    async function send(event) {
      event.preventDefault()
      if (isBusy) return
      specActions.validateParams(at)
      if (specSelectors.validateBeforeExecute(at)) {
        setBusy(true)
        for (const parameter of parameters) {
          const { value } = specSelectors.parameterWithMetaByIdentity(at, parameter).toJS()
          showInSamples(operation.get('operationId'), String(parameter.get('example')), value)
        }
        await specActions.execute({ operation, path, method })
        setBusy(false)
      } else {
        specActions.clearResponse(...at)
        reject(rejections + 1)
      }
    }

    /** Enter, unless held down, sends a safe request from its parameters, and presses buttons. */
    function onKeyDown(event) {
      const { key, repeat, target } = event
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
      h(KeyField),
      ...parameters.map((parameter) => h(Parameter, { key: parameter.get('name'), system, at, parameter })),
      h(
        'button',
        { type: 'submit', className: 'primary', 'aria-disabled': isBusy },
        isBusy ? 'Sending…' : `Send ${method.toUpperCase()}`,
      ),
      isBusy && h('button', { type: 'button', className: 'cancel', onClick: cancel }, 'Cancel'),
      h(getComponent('TryItResponse'), { system, at }),
    )
  }

  function KeyField() {
    const [{ key, verdict }, update] = useState({ ...access })
    const [typed, type] = useState(key)
    const isWrong = verdict === 'rejected' || verdict === 'malformed'
    useEffect(() => onAccess(() => update({ ...access })), [])
    useEffect(() => verdict !== 'malformed' && type(key), [key])
    return h(
      'p',
      { className: 'field' },
      h('label', { htmlFor: 'try-it-key' }, 'API key'),
      h('input', {
        id: 'try-it-key',
        type: 'password',
        autoComplete: 'off',
        spellCheck: false,
        value: typed,
        'aria-invalid': isWrong,
        'aria-describedby': 'try-it-verdict',
        onChange: ({ target }) => type(target.value),
        onBlur: () => typed !== key && enterKey(typed),
        onKeyDown: (event) => event.key === 'Enter' && typed !== key && enterKey(typed),
      }),
      h(
        'span',
        { id: 'try-it-verdict', className: 'hint', role: 'status', 'data-verdict': isWrong ? 'rejected' : verdict },
        verdictText(),
      ),
    )
  }

  function Parameter({ system: { specActions, specSelectors }, at, parameter }) {
    const name = parameter.get('name')
    const { value, errors = [] } = specSelectors.parameterWithMetaByIdentity(at, parameter).toJS()
    const change = (text) => specActions.changeParamByIdentity(at, parameter, text)
    const example = String(parameter.get('example') ?? '')
    useEffect(() => {
      if (value === undefined && isSafe(at[1])) change(example)
    }, [])
    const id = `try-it-${name}`
    return h(
      'p',
      { className: 'field' },
      h('label', { htmlFor: id }, h('code', null, name)),
      h('input', {
        id,
        name,
        value: value ?? '',
        placeholder: example,
        autoComplete: 'off',
        spellCheck: false,
        inputMode: parameter.getIn(['schema', 'type']) === 'integer' ? 'numeric' : undefined,
        required: parameter.get('required'),
        'aria-invalid': errors.length > 0,
        'aria-describedby': `${id}-error`,
        onChange: ({ target }) => change(target.value),
      }),
      h(
        'span',
        { id: `${id}-error`, className: 'hint error' },
        errors.map((error) => messages[error.error ?? error]?.(name) ?? error.error ?? error).join('. '),
      ),
    )
  }

  return { components: { TryIt } }
}

/** The first empty field, else the last one. */
function firstToFill(form) {
  const fields = [...form.querySelectorAll('input')]
  return fields.find(({ value }) => value === '') ?? fields.at(-1)
}

/** RFC 9110, section 9.2.1. */
function isSafe(method) {
  return ['get', 'head', 'options', 'trace'].includes(method)
}

/** @type {Record<string, (name: string) => string>} In place of Swagger UI's messages. */
const messages = {
  'Required field is not provided': (name) => `Enter ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}.`,
  'Value must be an integer': () => 'Use plain decimal digits, such as 1007.',
}
