// The layout of Swagger UI: a form that sends one operation. Its values, their checks and the request are Swagger UI's.
import { access, enterKey, onAccess, verdicts } from './access.js'
import { probe } from './servers.js'

export const tryItForm = ({ React: { createElement: h, useEffect, useRef, useState } }) => {
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
    return operation ? h(Form, { key: at.join(' '), system, at, operation }) : null
  }

  function Form({ system, at, operation }) {
    const { specActions, specSelectors, getComponent } = system
    const [isBusy, setBusy] = useState(false)
    const [refused, refuse] = useState(0)
    const form = useRef()
    const parameters = operation.get('parameters')?.toArray() ?? []

    useEffect(() => form.current.querySelector('[name][aria-invalid=true]')?.focus(), [refused])

    async function send(event) {
      event.preventDefault()
      specActions.validateParams(at)
      if (specSelectors.validateBeforeExecute(at)) {
        setBusy(true)
        const [path, method] = at
        await specActions.execute({ operation, path, method })
        setBusy(false)
      } else {
        specActions.clearResponse(...at)
        refuse(refused + 1)
      }
    }

    return h(
      'form',
      {
        ref: form,
        onSubmit: send,
        noValidate: true,
        'data-operation': operation.get('operationId'),
        'aria-label': `Try ${operation.get('operationId')}`,
      },
      h(KeyField),
      ...parameters.map((parameter) => h(Parameter, { key: parameter.get('name'), system, at, parameter })),
      h('button', { type: 'submit', className: 'primary', disabled: isBusy }, isBusy ? 'Sending…' : 'Send request'),
      h(getComponent('TryItAnswer'), { system, at }),
    )
  }

  function KeyField() {
    const [{ key, verdict }, update] = useState({ ...access })
    const [typed, type] = useState(key)
    useEffect(() => onAccess(() => update({ ...access })), [])
    useEffect(() => type(key), [key])
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
        'aria-invalid': verdict === 'rejected',
        'aria-describedby': 'try-it-verdict',
        onChange: ({ target }) => type(target.value),
        onBlur: () => typed !== key && enterKey(typed, probe()),
        onKeyDown: (event) => event.key === 'Enter' && typed !== key && enterKey(typed, probe()),
      }),
      h(
        'span',
        { id: 'try-it-verdict', className: 'hint', role: 'status', 'data-verdict': verdict },
        verdicts[verdict],
      ),
    )
  }

  function Parameter({ system: { specActions, specSelectors }, at, parameter }) {
    const name = parameter.get('name')
    const { value, errors = [] } = specSelectors.parameterWithMetaByIdentity(at, parameter).toJS()
    const change = (text) => specActions.changeParamByIdentity(at, parameter, text)
    useEffect(() => {
      if (value === undefined) change(String(parameter.get('example') ?? ''))
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
        autoComplete: 'off',
        spellCheck: false,
        inputMode: parameter.getIn(['schema', 'type']) === 'integer' ? 'numeric' : undefined,
        required: parameter.get('required'),
        'aria-invalid': errors.length > 0,
        'aria-describedby': `${id}-error`,
        onChange: ({ target }) => change(target.value),
      }),
      h('span', { id: `${id}-error`, className: 'hint error' }, errors.map((error) => error.error ?? error).join('. ')),
    )
  }

  return { components: { TryIt } }
}
