// Starts Swagger UI with our plugins. What they wrap is not covered by its version numbers: npm run test:browser tells.
import { authorize } from './authorize.js'
import { showContents } from './contents.js'
import { filter } from './filter.js'
import { labels } from './labels.js'
import { lifecycle } from './lifecycle.js'
import { overview } from './overview.js'
import { rewrite } from './rewrite.js'
import { tryItOut } from './try-it-out.js'

const root = /** @type {HTMLElement} */ (document.getElementById('swagger-ui'))

const ui = SwaggerUIBundle({
  domNode: root,
  url: root.dataset.document,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [rewrite, overview, tryItOut, lifecycle, filter, authorize, labels],
  layout: 'BaseLayout',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: '',
  persistAuthorization: false, // it would put the key into localStorage
  syntaxHighlight: false, // its colours are too faint
  validatorUrl: null,
  onComplete: () => showContents(ui),
})
