// The proof of ownership: a text that only who controls the zone can put there.
import { randomBytes } from 'node:crypto'

export const newToken = () => randomBytes(16).toString('hex')
