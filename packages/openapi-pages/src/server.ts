/** Stands in samples and in the texts of a document for the base URL of the API, which each page has from its request. */
export const exampleServer = 'http://127.0.0.1:3000/v1'
