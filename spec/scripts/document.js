// What the scripts read of a document. They run before any build, so they cannot import spec/document.ts.

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** Every operation, with its method in lower case and the item of its path. @param {any} document */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => ({ method, path, item, operation: /** @type {any} */ (item[method]) })),
  )
}

/** What a node refers to, or the node itself. @param {any} node @param {any} document @returns {any} */
export function resolve(node, document) {
  if (!node?.$ref) return node
  const keys = node.$ref.split('/').slice(1)
  return resolve(
    keys.reduce((/** @type {any} */ one, /** @type {string} */ key) => one[key], document),
    document,
  )
}
