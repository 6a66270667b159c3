// Stand in samples and in the texts of a document for addresses that each page has from its request.

/** For the base URL of the API. */
export const exampleServer = 'http://127.0.0.1:3000/v1'

/** For the root of the server that serves the page. */
export const exampleRoot = 'http://root.invalid'
