// On Swagger UI's own page, hides "Try it out" where the document says so. Runs between the bundle and Swagger UI's
// initializer, which takes no plugins.
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
