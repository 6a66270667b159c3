// `x-explorer-enabled: false` takes the try-it panel from an operation, and from no other.

export const tryItOut = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        allowTryItOutFor:
          (_original, { specSelectors }) =>
          (_state, path, method) =>
            specSelectors.specJson().getIn(['paths', path, method, 'x-explorer-enabled']) !== false,
      },
    },
  },
})
