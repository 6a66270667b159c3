// Encrypts texts that contain private keys: AES-256-GCM, bound to the name under which they are stored.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const [ID, NONCE, TAG] = [4, 12, 16]

/** @throws TypeError with a line for each one that cannot be used */
export function checkKeys(keys: readonly Buffer[]): void {
  const isKey = (key: unknown) => Buffer.isBuffer(key) && key.length === 32
  const errors = keys.flatMap((key, at) => (isKey(key) ? [] : `encryptionKeys[${at}] must be a Buffer of 32 bytes`))
  if (keys.length === 0) errors.push('encryptionKeys must be a list of at least one')
  if (errors.length > 0) throw new TypeError(errors.join('\n'))
}

/**
 * @param keys of 32 bytes, the newest first: all of them decrypt
 * @param sharedKey the id of the one that encrypts; without one, it is the oldest
 */
export function cipherOf(keys: readonly Buffer[], sharedKey: () => string | undefined = () => undefined) {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const ids = [...byId.keys()]
  return {
    /** The keys' fingerprints, in hexadecimal. A value begins with that of its key. */
    ids,
    encrypt(text: string, name: string): Buffer {
      const id = sharedKey() ?? (ids.at(-1) as string)
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(ALGORITHM, byId.get(id) as Buffer, nonce).setAAD(Buffer.from(name))
      const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), ...encrypted])
    },
    /** @throws when it was encrypted with another key or under another name, or was changed */
    decrypt(value: Buffer, name: string): string {
      const key = byId.get(value.toString('hex', 0, ID))
      if (!key) throw new Error(missingKey(name))
      const [nonce, rest] = [value.subarray(ID, ID + NONCE), value.subarray(ID + NONCE)]
      const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name))
      decipher.setAuthTag(rest.subarray(0, TAG))
      return Buffer.concat([decipher.update(rest.subarray(TAG)), decipher.final()]).toString('utf8')
    },
  }
}

/** The name under which a secret is encrypted. */
export const nameOf = (kind: string, name: string) => `${kind} ${name}`

/** One line on a value that cannot be read. */
export function missingKey(name: string): string {
  return `${name} is encrypted with a key that is not among the encryption keys`
}

/** A fingerprint: identifies a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, 2 * ID)
}
