// The packages of this project, by name: tests and the build take their sources, others what they publish.
import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

/** The condition of `exports` in their package.json that leads to the sources. */
export const SOURCE = 'store-orders-source'

/**
 * The source of each door of a package: `packages/http-edge/src/fastify/index.ts` of `http-edge/fastify`.
 * @type {ReadonlyMap<string, string>}
 */
export const sources = new Map(read('.').workspaces.flatMap((/** @type {string} */ folder) => doorsOf(folder)))

/** @param {string} specifier @returns {string | undefined} the file, from the project's folder; undefined for a package of others */
export function sourceOf(specifier) {
  return sources.get(specifier)
}

/** @param {string} folder */
function doorsOf(folder) {
  const { name, exports } = read(folder)
  return Object.entries(exports).flatMap(([door, { [SOURCE]: file }]) =>
    file ? [[join(name, door), join(folder, file)]] : [],
  )
}

/** @param {string} folder */
function read(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
