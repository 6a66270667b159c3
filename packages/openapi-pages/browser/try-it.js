// "Try it": Swagger UI starts when a reader first asks for it. One form moves to the operation that is tried; Swagger UI's
// store keeps the values and responses of the others.

/** @type {Promise<{ tryItActions: { show(operationId: string): void } }> | undefined} */
let starting
const bundle = new URL(
  'docs/swagger/static/swagger-ui-bundle.js',
  new URL(String(document.body.dataset.document), location.href),
).href
const panel = document.createElement('div')
panel.className = 'try-it-panel'
panel.id = 'try-it'

export function startTryIt() {
  for (const button of document.querySelectorAll('button.try-it')) {
    button.addEventListener('click', () => toggle(/** @type {HTMLButtonElement} */ (button)))
    button.addEventListener('pointerenter', () => load().catch(() => {}), { once: true })
    buttons.observe(button)
  }
}

/** Fetches the bundle into the browser's cache when a button comes into view, unless the reader saves data. */
const buttons = new IntersectionObserver((entries) => {
  const { connection } = /** @type {{ connection?: { saveData: boolean } }} */ (navigator)
  if (connection?.saveData || !entries.some(({ isIntersecting }) => isIntersecting)) return
  buttons.disconnect()
  fetch(bundle, { priority: 'low' }).then(
    (response) => response.arrayBuffer(),
    () => {},
  )
})

async function toggle(/** @type {HTMLButtonElement} */ button) {
  const isOpen = button.getAttribute('aria-expanded') === 'true'
  for (const other of document.querySelectorAll('button.try-it')) other.setAttribute('aria-expanded', 'false')
  panel.remove()
  if (isOpen) return
  button.setAttribute('aria-expanded', 'true')
  button.after(panel)
  try {
    starting ??= start()
    const { tryItActions } = await starting
    tryItActions.show(String(button.dataset.operation))
  } catch {
    starting = undefined
    button.setAttribute('aria-expanded', 'false') // the next press tries again
    panel.textContent = 'The form cannot be loaded. Check the connection and press the button again.'
  }
}

async function start() {
  panel.innerHTML = '<div><p class="hint" role="status">Loading…</p></div>'
  const [{ startSwagger }, response] = await load()
  return startSwagger(/** @type {Element} */ (panel.firstElementChild), response)
}

/** @type {Promise<[typeof import('./swagger.js'), Response, void]> | undefined} */
let loading

/** Requests everything in parallel, which saves half a second on a slow connection. */
function load() {
  const documentUrl = new URL(String(document.body.dataset.document), location.href).href
  loading ??= Promise.all([import('./swagger.js'), fetch(documentUrl), loadBundle()])
  return loading.catch((error) => {
    loading = undefined // requested again by the next press
    throw error
  })
}

async function loadBundle() {
  const script = document.createElement('script')
  script.src = bundle
  await new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`))
    document.head.append(script)
  }).finally(() => script.remove())
}
