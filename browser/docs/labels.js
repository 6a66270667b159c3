// Names elements that Swagger UI leaves unnamed or labels differently from the visible text, for screen readers and
// voice control.

export const labels = ({ React: { createElement } }) => {
  /** Names the first element of a component that the selector finds. */
  const named = (selector, name) => (Original) => (props) =>
    createElement(
      'span',
      { className: 'named', ref: (element) => element?.querySelector(selector)?.setAttribute('aria-label', name) },
      createElement(Original, props),
    )
  return {
    wrapComponents: {
      Servers: named('select', 'Server'),
      ExamplesSelect: named('select', 'Example'),
      ModelCollapse: named('button:not(:has(.model-title))', 'Details'),
      Button: (Original) => (props) => createElement(Original, { ...props, 'aria-label': undefined }), // all have a text
    },
  }
}
