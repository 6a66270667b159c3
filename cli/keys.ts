// Creates, lists, rotates and revokes the API keys of a file. A running server follows the file.
import { stat } from 'node:fs/promises'
import { loadKeyFile } from '../config/environment.ts'
import * as changes from '../config/keys/changes.ts'
import { editKeyFile, readLines } from '../config/keys/edit.ts'
import { endOf, type KeyEntry, keyName } from '../config/keys/file.ts'
import { makeKey } from '../config/keys/key.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_GRACE_MS = 7 * 86_400_000
const onlyOnce = 'The key is shown only now: the file holds its digest.'

// Durations are in milliseconds. A key goes to stdout alone, so that scripts can read it.

export async function newKey(
  name: string,
  { readOnly: isReadOnly = false, expires: lifetime }: { readOnly?: boolean; expires?: number },
  { stdout, stderr, env }: Terminal,
): Promise<void> {
  const file = loadKeyFile(env)
  if (!keyName.test(name)) throw new Error('a name consists of letters, digits, ".", "_" and "-"')
  const key = makeKey()
  await editKeyFile(file, changes.addKey({ name, key, now: thisSecond(), isReadOnly, lifetime }))
  const { uid, mode } = await stat(file)
  const access = `owner: user ID ${uid}, mode: ${(mode & 0o777).toString(8)}`
  stdout.write(`${key}\n`)
  stderr.write(`Added ${name} to ${file} (${access}). ${onlyOnce}\n`)
}

export async function listKeys({ json }: { json?: boolean }, { stdout, stderr, env }: Terminal): Promise<void> {
  const file = loadKeyFile(env)
  const now = thisSecond()
  const entries = (await readLines(file)).flatMap(({ entry }) => entry ?? [])
  if (json) stdout.write(`${JSON.stringify(entries.map((entry) => recordOf(entry, now)))}\n`)
  else if (entries.length === 0) stderr.write(`${file} holds no key.\n`)
  else stdout.write(table([columns, ...entries.map((entry) => rowOf(entry, now))]))
}

export async function rotateKey(
  name: string,
  { grace = DEFAULT_GRACE_MS, expires: lifetime }: { grace?: number; expires?: number },
  { stdout, stderr, env }: Terminal,
): Promise<void> {
  const key = makeKey()
  const now = thisSecond()
  await editKeyFile(loadKeyFile(env), changes.rotateKey({ name, key, now, lifetime, grace }))
  const old = grace > 0 ? `The old key is valid until ${minuteOf(now + grace)}.` : 'The old key is revoked.'
  stdout.write(`${key}\n`)
  stderr.write(`${old} ${onlyOnce}\n`)
}

export async function revokeKey(name: string, { stderr, env }: Terminal): Promise<void> {
  await editKeyFile(loadKeyFile(env), changes.revokeKey(name))
  stderr.write(`${name} is revoked.\n`)
}

/** Key files have no fractions of seconds. */
function thisSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}

const columns = ['NAME', 'SCOPE', 'CREATED', 'EXPIRES']

function rowOf(entry: KeyEntry, now: number): string[] {
  const { name, isReadOnly, created, grace } = entry
  const end = endOf(entry)
  const state = end <= now ? ' (expired)' : grace === undefined ? '' : ' (rotated)'
  const expires = end === Infinity ? 'never' : `${minuteOf(end)}${state}`
  return [name, isReadOnly ? 'read-only' : 'full', minuteOf(created), expires]
}

function recordOf(entry: KeyEntry, now: number) {
  const { name, isReadOnly, created, grace } = entry
  const end = endOf(entry)
  // toJSON() is null for an invalid date, such as Infinity.
  const [createdAt, expiresAt] = [created, end].map((time) => new Date(Number(time)).toJSON())
  const scope = isReadOnly ? 'read-only' : 'full'
  return { name, scope, createdAt, expiresAt, isExpired: end <= now, isRotated: grace !== undefined }
}

function minuteOf(time: number | undefined): string {
  return time === undefined ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`
}

function table(rows: string[][]): string {
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => String(row[index]).length)))
  const padded = (cell: string, index: number) => cell.padEnd(widths[index] as number)
  return rows.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('')
}
