// The fields of the form: the API key, the parameters and the body.
import { access, enterKey, onAccess, verdictText } from './access.js'
import { exampleOf, mediaTypeIn } from './try-it-body.js'

export const tryItFields = ({ React: { createElement: h, useEffect, useState } }) => {
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

  /** An array is entered as one item a line. */
  function Parameter({ system: { specActions, specSelectors }, at, parameter, isNameShared, problems }) {
    const [name, place] = [parameter.get('name'), parameter.get('in')]
    const isArray = parameter.getIn(['schema', 'type']) === 'array'
    const value = enteredIn(specSelectors, at, parameter)
    const [text, type] = useState([value ?? ''].flat().join('\n'))
    const example = exampleOfParameter(parameter)
    const change = (typed) => {
      type(typed)
      const lines = typed.split('\n').filter((line) => line !== '')
      specActions.changeParamByIdentity(at, parameter, isArray ? (lines.length > 0 ? lines : undefined) : typed)
    }
    useEffect(() => {
      if (value === undefined && isSafe(at[1])) change(example)
    }, [])
    const id = `try-it-${place}-${name}`
    return h(
      'p',
      { className: 'field' },
      h(
        'label',
        { htmlFor: id },
        h('code', null, name),
        isNameShared && ` in the ${place}`,
        isArray && ', one item a line',
      ),
      h(isArray ? 'textarea' : 'input', {
        id,
        name,
        value: text,
        rows: isArray ? Math.min(6, Math.max(2, example.split('\n').length)) : undefined,
        placeholder: example,
        autoComplete: 'off',
        spellCheck: false,
        inputMode: parameter.getIn(['schema', 'type']) === 'integer' ? 'numeric' : undefined,
        required: parameter.get('required'),
        'aria-invalid': problems.length > 0,
        'aria-describedby': `${id}-error`,
        onChange: ({ target }) => change(target.value),
      }),
      h('span', { id: `${id}-error`, className: 'hint error' }, problems.join('. ')),
    )
  }

  function Body({ system: { oas3Actions, oas3Selectors }, at, operation, problems }) {
    const type = mediaTypeIn(operation)
    const example = exampleOf(operation.get('operationId'), type)
    const text = oas3Selectors.requestBodyValue(...at) ?? ''
    const change = (value) => oas3Actions.setRequestBodyValue({ value, pathMethod: at })
    useEffect(() => {
      oas3Actions.setRequestContentType({ value: type, pathMethod: at })
      if (text === '' && isSafe(at[1])) change(example)
    }, [])
    return h(
      'div',
      { className: 'field' },
      h('label', { htmlFor: 'try-it-body' }, 'Body ', h('code', null, type)),
      h('textarea', {
        id: 'try-it-body',
        name: 'body',
        value: text,
        placeholder: example,
        rows: Math.min(16, Math.max(4, example.split('\n').length)),
        autoComplete: 'off',
        spellCheck: false,
        required: operation.getIn(['requestBody', 'required']),
        'aria-invalid': problems.length > 0,
        'aria-describedby': 'try-it-body-error',
        onChange: ({ target }) => change(target.value),
      }),
      h(
        'ul',
        { id: 'try-it-body-error', className: 'hint error' },
        problems.map((problem) => h('li', { key: problem }, problem)),
      ),
      text === '' && h('button', { type: 'button', onClick: () => change(example) }, 'Use the example'),
    )
  }

  return { components: { TryItKey: KeyField, TryItParameter: Parameter, TryItBody: Body } }
}

/** RFC 9110, section 9.2.1. */
export function isSafe(method) {
  return ['get', 'head', 'options', 'trace'].includes(method)
}

/** What was entered: of an array, its items. @returns {string | string[] | undefined} */
export function enteredIn(specSelectors, at, parameter) {
  return specSelectors.parameterWithMetaByIdentity(at, parameter).toJS().value
}

/** As it is entered. @returns {string} */
export function exampleOfParameter(parameter) {
  const named = parameter.get('examples')?.first()?.get('value')
  const example = parameter.get('example') ?? named ?? parameter.getIn(['schema', 'example']) ?? ''
  return example.join?.('\n') ?? String(example)
}
