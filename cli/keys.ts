// Creates, lists, rotates and revokes the API keys of a file. A running server follows the file.
import { stat } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { durations, parseDuration } from '../config/duration.ts'
import { loadKeyFile } from '../config/environment.ts'
import { addKey, revokeKey, rotateKey } from '../config/keys/changes.ts'
import { editKeyFile, readLines } from '../config/keys/edit.ts'
import { endOf, type KeyEntry, keyName } from '../config/keys/file.ts'
import { makeKey } from '../config/keys/key.ts'
import { type LastUsed, readLastUsed } from '../config/keys/last-used.ts'
import { onlyArguments, type Terminal } from './terminal.ts'

interface Context {
  file: string
  name: string
  now: number
  isReadOnly: boolean
  /** Milliseconds */
  lifetime: number | undefined
  grace: number
  isJson: boolean
}

/** A key goes to stdout alone, so that scripts can read it. */
type Output = { result?: string; remark?: string }

const options = {
  'read-only': { type: 'boolean', default: false },
  expires: { type: 'string' },
  grace: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

const commands: Record<string, { names?: string[]; takes: string[]; run(context: Context): Promise<Output> }> = {
  new: {
    takes: ['read-only', 'expires'],
    async run({ file, name, ...given }) {
      if (!keyName.test(name)) throw new Error('a name consists of letters, digits, ".", "_" and "-"')
      const key = makeKey()
      await editKeyFile(file, addKey({ name, key, ...given }))
      const { uid, mode } = await stat(file)
      const access = `owner: user ID ${uid}, mode: ${(mode & 0o777).toString(8)}`
      return { result: `${key}\n`, remark: `Added ${name} to ${file} (${access}). ${onlyOnce}\n` }
    },
  },
  list: {
    names: [],
    takes: ['json'],
    async run({ file, now, isJson }) {
      const entries = (await readLines(file)).flatMap(({ entry }) => entry ?? [])
      const lastUsed = await readLastUsed(file)
      if (isJson) return { result: `${JSON.stringify(entries.map((entry) => recordOf(entry, now, lastUsed)))}\n` }
      if (entries.length === 0) return { remark: `${file} holds no key.\n` }
      return { result: table([columns, ...entries.map((entry) => rowOf(entry, now, lastUsed))]) }
    },
  },
  rotate: {
    takes: ['expires', 'grace'],
    async run({ file, name, now, lifetime, grace }) {
      const key = makeKey()
      await editKeyFile(file, rotateKey({ name, key, now, lifetime, grace }))
      const old = grace > 0 ? `The old key is valid until ${minuteOf(now + grace)}.` : 'The old key is revoked.'
      return { result: `${key}\n`, remark: `${old} ${onlyOnce}\n` }
    },
  },
  revoke: {
    takes: [],
    async run({ file, name }) {
      await editKeyFile(file, revokeKey(name))
      return { remark: `${name} is revoked.\n` }
    },
  },
}

const onlyOnce = 'The key is shown only now: the file holds its digest.'

export async function keysCommand(args: string[], { stdout, stderr, env }: Terminal = process): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { 'read-only': isReadOnly, expires, grace = '7d', json } = values
  const [verb = '', ...rest] = positionals
  const command = Object.hasOwn(commands, verb) && commands[verb]
  if (!command) throw new Error(`unknown command "keys ${verb}"; store-orders keys --help lists them`)
  const [name = ''] = onlyArguments(rest, command.names ?? ['NAME'])
  for (const [option, value] of Object.entries(values)) {
    if (value !== false && !command.takes.includes(option)) throw new Error(`keys ${verb} has no option --${option}`)
  }
  const { result = '', remark = '' } = await command.run({
    file: loadKeyFile(env),
    name,
    now: Math.floor(Date.now() / 1000) * 1000,
    isReadOnly,
    lifetime: expires === undefined ? undefined : durationOf('--expires', expires, 1),
    grace: durationOf('--grace', grace, 0),
    isJson: json,
  })
  stdout.write(result)
  stderr.write(remark)
}

function durationOf(option: string, text: string, least: number): number {
  const duration = parseDuration(text)
  if (duration === undefined || duration < least) throw new Error(`${option} must be ${durations}`)
  return duration
}

const columns = ['NAME', 'SCOPE', 'CREATED', 'EXPIRES', 'LAST USED']

function rowOf(entry: KeyEntry, now: number, lastUsed: LastUsed): string[] {
  const { name, digest, isReadOnly, created, grace } = entry
  const end = endOf(entry)
  const state = end <= now ? ' (expired)' : grace === undefined ? '' : ' (rotated)'
  const expires = end === Infinity ? 'never' : `${minuteOf(end)}${state}`
  return [name, isReadOnly ? 'read-only' : 'full', minuteOf(created), expires, minuteOf(lastUsed.get(digest))]
}

function recordOf(entry: KeyEntry, now: number, lastUsed: LastUsed) {
  const { name, digest, isReadOnly, created, grace } = entry
  const end = endOf(entry)
  // toJSON() is null for what is no date, such as Infinity.
  const [createdAt, expiresAt, lastUsedAt] = [created, end, lastUsed.get(digest)].map((time) =>
    new Date(Number(time)).toJSON(),
  )
  const scope = isReadOnly ? 'read-only' : 'full'
  return { name, scope, createdAt, expiresAt, isExpired: end <= now, isRotated: grace !== undefined, lastUsedAt }
}

function minuteOf(time: number | undefined): string {
  return time === undefined ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`
}

function table(rows: string[][]): string {
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => String(row[index]).length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] as number))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
