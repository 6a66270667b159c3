// Finds PostgreSQL's programs: on Debian, they are not in PATH or are behind a wrapper.
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { binariesFolder } from '../test/fixtures/postgres/binaries.js'

const DEBIAN = '/usr/lib/postgresql'

/** @param {string} name @returns {string | undefined} that of the newest version */
export function toolPath(name) {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...pathFolders()]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

const pathFolders = () => process.env.PATH?.split(delimiter) ?? []

/** The PostgreSQL server of the rows, the same as in the tests. */
export const serverPath = () => join(binariesFolder(), 'postgres')
