// `x-explorer-enabled: false` removes the try-it panel from that operation only.

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
