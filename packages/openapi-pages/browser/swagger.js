// Starts Swagger UI as the engine behind our form: it holds the values, and authorizes and sends the requests. The plugins
// use its internals, which its version number does not cover: npm run test:browser detects a break.
import { access, onAccess } from './access.js'
import { tryItFields } from './try-it-fields.js'
import { sending, tryItForm, tryItState } from './try-it-form.js'
import { tryItResponse } from './try-it-response.js'

/** Renders into `domNode`, after the bundle has run. @param response the fetched document */
export async function startSwagger(/** @type {Element} */ domNode, /** @type {Response} */ response) {
  let began = 0
  const ui = await new Promise((resolve) => {
    const starting = SwaggerUIBundle({
      domNode,
      url: response.url,
      presets: [SwaggerUIBundle.presets.apis],
      plugins: [tryItState, tryItForm, tryItFields, tryItResponse],
      layout: 'TryIt',
      deepLinking: false, // the page has addresses of its own
      persistAuthorization: false, // it would put the key into localStorage
      validatorUrl: null,
      requestInterceptor: (request) => {
        if (request.loadSpec) return Object.assign(request, { userFetch: async () => response.clone() })
        began = performance.now()
        const { body = request.body } = sending
        return Object.assign(request, { body, signal: sending.start() })
      },
      // Swagger UI times only successful ones, and copies a parsed body into its store, which freezes a page for seconds
      responseInterceptor: (response) =>
        Object.assign(response, { duration: Math.round(performance.now() - began), body: undefined, obj: undefined }),
      onComplete: () => resolve(starting),
    })
  })
  const follow = () => applyAccess(ui)
  onAccess(follow)
  follow()
  return ui
}

function applyAccess({ authActions, authSelectors, oas3Actions, preauthorizeApiKey, specSelectors }) {
  const server = specSelectors.servers().getIn([access.server, 'url'])
  if (server) oas3Actions.setSelectedServer(server)
  for (const scheme of specSelectors.securityDefinitions()?.keySeq() ?? []) {
    if (access.key) preauthorizeApiKey(scheme, access.key)
    else if (authSelectors.authorized()?.has(scheme)) authActions.logout([scheme])
  }
}
