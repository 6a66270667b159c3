// Media types, as exact-openapi judges them.

const essenceOf = (/** @type {string} */ type) => String(type.split(';', 1)[0]).trim().toLowerCase()

export const isJson = (/** @type {string} */ type) =>
  /^((application|text)\/json|[^/]+\/.+\+json)$/.test(essenceOf(type))
export const isForm = (/** @type {string} */ type) => essenceOf(type) === 'application/x-www-form-urlencoded'
export const isMultipart = (/** @type {string} */ type) => essenceOf(type) === 'multipart/form-data'
