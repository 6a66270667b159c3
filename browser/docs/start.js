// Starts Swagger UI with our plugins. They wrap internals that its version numbers do not
// cover: npm run test:browser will show a break.
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
  syntaxHighlight: false, // its colors are too faint
  validatorUrl: null,
  onComplete: () => showContents(ui),
})
