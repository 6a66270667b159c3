// Stand in samples and in the texts of a document for addresses that each page has from its request.

/** For the base URL of the API. */
export const exampleServer = 'http://127.0.0.1:3000/v1'

/** For the origin of the server that serves the page, with the path below which a proxy does. */
export const exampleOrigin = 'http://origin.invalid'

/** The same with the prefix of the plugin. */
export const exampleRoot = 'http://root.invalid'
