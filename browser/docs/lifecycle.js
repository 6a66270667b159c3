// Badges beside an operation's path, in the list and in the open operation: its stability, and its deprecation and sunset.

export const lifecycle = ({ React: { createElement }, specSelectors }) => ({
  components: {
    // Without the original's link, which was inside a button. The contents of the page link to operations.
    OperationSummaryPath: ({ operationProps }) => {
      const { path, method, deprecated } = operationProps.toObject()
      const operation = specSelectors.specJson().getIn(['paths', path, method])
      return createElement(
        'span',
        { className: 'path-and-badges' },
        createElement(
          deprecated ? 'del' : 'span',
          { className: 'opblock-summary-path', 'data-path': path },
          ...path.split(/(?=\/)/).flatMap((segment) => [createElement('wbr'), segment]),
        ),
        ...badgesOf(operation).map(
          ({ kind, text }) => createElement('span', { className: `badge badge-${kind}` }, ` ${text} `), // spaces separate words when read out
        ),
      )
    },
  },
})

function badgesOf(operation) {
  const [stability, sunset] = ['x-stability', 'x-sunset'].map((name) => operation.get(name))
  return [
    stability && { kind: stability, text: stability },
    operation.get('deprecated') && { kind: 'deprecated', text: 'deprecated' },
    sunset && { kind: 'sunset', text: `sunset ${formatDate(sunset)}` },
  ].filter(Boolean)
}

/** `2027-12-31` as `December 31, 2027`. */
export function formatDate(date) {
  return new Date(date).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
}
