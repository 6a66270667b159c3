// On Swagger UI's own page, hides "Try it out" where the document says so, and shows a response with every digit. Runs
// between the bundle and Swagger UI's initializer, which takes no plugins.
import { formatJson } from './json.js'

// Without it, a phone lays the page out for 980 pixels.
const viewport = { name: 'viewport', content: 'width=device-width, initial-scale=1' }
document.head.append(Object.assign(document.createElement('meta'), viewport))
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
/** Swagger UI would parse and round JSON: where that changes it, it gets the text, of another type. */
const digits = () => ({
  wrapComponents: {
    responseBody:
      (Original, { React }) =>
      (props) => {
        const { content, contentType } = props
        const text = /json/i.test(contentType) && typeof content === 'string' ? formatJson(content) : content
        const isExact = text === content || JSON.stringify(JSON.parse(text), null, 2) === text
        return React.createElement(Original, isExact ? props : { ...props, content: text, contentType: 'exact' })
      },
  },
})
Object.assign(globalThis, {
  SwaggerUIBundle: Object.assign(
    (config) => bundle({ ...config, plugins: [...config.plugins, explorer, digits] }),
    bundle,
  ),
})
