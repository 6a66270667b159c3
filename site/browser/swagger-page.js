// On Swagger UI's own page: an operation that the document excludes from the explorer cannot be tried. Runs between the
// bundle and Swagger UI's initializer, which lists no plugins of others.
{
  const bundle = SwaggerUIBundle
  const explorer = () => ({
    statePlugins: {
      spec: {
        wrapSelectors: {
          allowTryItOutFor: (original, system) => (state, path, method) =>
            original(state, path, method) &&
            system.specSelectors.specJson().getIn(['paths', path, method, 'x-explorer-enabled']) !== false,
        },
      },
    },
  })
  Object.assign(globalThis, {
    SwaggerUIBundle: Object.assign((config) => bundle({ ...config, plugins: [...config.plugins, explorer] }), bundle),
  })
}
