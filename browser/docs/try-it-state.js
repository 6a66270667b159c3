// The state of the form in Swagger UI's store: the operation that it shows.

export const tryItState = () => ({
  statePlugins: {
    tryIt: {
      actions: {
        show: (/** @type {string} */ operationId) => ({ type: 'try_it_show', payload: operationId }),
      },
      reducers: {
        try_it_show: (state, { payload }) => state.set('operationId', payload),
      },
      selectors: {
        operationId: (state) => state.get('operationId'),
      },
    },
  },
})
