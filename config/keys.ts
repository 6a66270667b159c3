// API keys: only their SHA-256 digests are held.
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The names of the keys by the SHA-256 digest of the key, in lower-case hexadecimal. */
export type Keys = ReadonlyMap<string, string>

export interface NamedKey {
  name: string
  key: string
}

/** A new key: 256 random bits. */
export function makeKey(): string {
  return randomBytes(32).toString('base64url')
}

export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/**
 * The keys listed in a variable and those in a file, which has one `name sha256:HEX` per line.
 * @throws with a line for each error
 */
export async function loadKeys(given: readonly NamedKey[], variable: string, file?: string): Promise<Keys> {
  const entries = given.map(({ name, key }) => ({ name, digest: digestOf(key), where: `${variable}: ${name}` }))
  const problems: string[] = []
  if (file !== undefined) {
    for (const [index, line] of (await read(file)).split(/\r?\n/).entries()) {
      if (/^\s*(#.*)?$/.test(line)) continue
      const where = `${file}, line ${index + 1}`
      const [, name, digest] = /^\s*([\w.-]+)\s+sha256:([0-9a-f]{64})\s*$/i.exec(line) ?? []
      if (name && digest) entries.push({ name, digest: digest.toLowerCase(), where })
      else problems.push(`${where}: must be "name sha256:HEX", HEX being the 64 digits that sha256sum prints`)
    }
    if (entries.length === given.length && problems.length === 0) problems.push(`${file} holds no key`)
  }
  for (const [index, { name, digest, where }] of entries.entries()) {
    const earlier = entries.slice(0, index)
    if (earlier.some((entry) => entry.name === name)) problems.push(`${where}: the name ${name} is given to two keys`)
    if (earlier.some((entry) => entry.digest === digest)) problems.push(`${where}: this key has another name already`)
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return new Map(entries.map(({ name, digest }) => [digest, name]))
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`the key file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`, { cause: error })
  }
}
