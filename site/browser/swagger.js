// Starts Swagger UI as the engine of the forms: its state, authorization and requests. Its layout is our form. The
// plugins use parts that its version number does not cover: npm run test:browser reveals a break.
import { access, onAccess } from './access.js'
import { tryItAnswer } from './try-it-answer.js'
import { sending, tryItForm, tryItState } from './try-it-form.js'

/** Renders into `domNode`. */
export async function startSwagger(/** @type {Element} */ domNode, /** @type {string} */ documentUrl) {
  await loadBundle()
  let began = 0
  const ui = await new Promise((resolve) => {
    const starting = SwaggerUIBundle({
      domNode,
      url: documentUrl,
      presets: [SwaggerUIBundle.presets.apis],
      plugins: [tryItState, tryItForm, tryItAnswer],
      layout: 'TryIt',
      deepLinking: false, // the page has addresses of its own
      persistAuthorization: false, // it would put the key into localStorage
      validatorUrl: null,
      requestInterceptor: (request) => {
        began = performance.now()
        return Object.assign(request, { signal: sending.start() })
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

/** A script that failed to load is requested again by the next call. */
async function loadBundle() {
  if ('SwaggerUIBundle' in globalThis) return
  const script = document.createElement('script')
  script.src = new URL('swagger-ui-bundle.js', import.meta.url).href
  await new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`))
    document.head.append(script)
  }).finally(() => script.remove())
}

function applyAccess({ authActions, authSelectors, oas3Actions, preauthorizeApiKey, specSelectors }) {
  const server = specSelectors.servers().getIn([access.server, 'url'])
  if (server) oas3Actions.setSelectedServer(server)
  for (const scheme of specSelectors.securityDefinitions()?.keySeq() ?? []) {
    if (access.key) preauthorizeApiKey(scheme, access.key)
    else if (authSelectors.authorized()?.has(scheme)) authActions.logout([scheme])
  }
}
