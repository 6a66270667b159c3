// The filter: every word must occur in the operation's path, method, operationId, summary or tag.

export const filter = ({ React: { createElement } }) => ({
  fn: { opsFilter: filterOperations },
  components: {
    FilterContainer: ({ layoutActions, layoutSelectors, specSelectors }) => {
      const shown = specSelectors.specJson().has('paths') && countOf(layoutSelectors, specSelectors)
      if (shown === false) return null
      return createElement(
        'div',
        { className: 'wrapper filter', role: 'search' },
        createElement('label', { htmlFor: 'filter' }, 'Filter operations'),
        createElement('input', {
          id: 'filter',
          type: 'search',
          placeholder: 'path, operationId, summary or tag',
          autoComplete: 'off',
          spellCheck: false,
          onChange: ({ target }) => layoutActions.updateFilter(target.value),
        }),
        createElement('output', { htmlFor: 'filter' }, shown),
      )
    },
  },
})

function filterOperations(taggedOperations, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  return taggedOperations
    .map((tag, name) =>
      tag.update('operations', (operations) =>
        operations.filter((one) => {
          const { operationId = '', summary = '' } = one.get('operation').toObject()
          const text = [name, one.get('method'), one.get('path'), operationId, summary].join('\n').toLowerCase()
          return words.every((word) => text.includes(word))
        }),
      ),
    )
    .filter((tag) => tag.get('operations').size > 0)
}

/** Announces the matches, to screen readers too. */
function countOf(layoutSelectors, specSelectors) {
  if (!layoutSelectors.currentFilter()) return ''
  const shown = specSelectors.taggedOperations().reduce((sum, tag) => sum + tag.get('operations').size, 0)
  return `${shown} of ${specSelectors.operations().size}`
}
