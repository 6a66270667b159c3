// Reads a variable from a file, where containers and systemd put secrets. White space around the value does not count.
import { readFileSync } from 'node:fs'

/** @returns the value, or what is wrong with the file */
export function readSecret(file: string): { text: string; problem?: string } {
  try {
    const text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    return text === '' ? { text, problem: `names an empty file, ${file}` } : { text }
  } catch (error) {
    return { text: '', problem: `names a file that cannot be read, ${file} (${(error as NodeJS.ErrnoException).code})` }
  }
}
