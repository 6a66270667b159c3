// Runs samples in their own language, and compares what arrives with the picture of the request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { env } from 'node:process'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { parseExactly } from '../../../../packages/openapi-pages/browser/json.js'
import { moreLanguages, languages as shown } from '../../../../packages/openapi-pages/browser/languages.js'
import type { Call } from '../../../../packages/openapi-pages/browser/request.js'
import type { Language } from './languages.ts'
import type { Picture } from './pictures.ts'

interface Received {
  method: string | undefined
  url: string | undefined
  headers: NodeJS.Dict<string[]>
  bytes: Buffer
}

/** The files and the keys that a reader has, by their names. */
const fileOf = (name: string) => `\u0001\u00ff"'\0\r\n${name}`
const keyOf = (variable: string) => `the-${variable}`

/** @returns how many were sent, and what differs, a line each, which begins with the name of the picture */
export async function recorded(language: Language, pictures: readonly Picture[]) {
  const got = new Map<number, Received[]>()
  const server = createServer(async (request, response) => {
    const { method, headersDistinct: headers } = request
    const [, at, url] = /^\/(\d+)(.*)$/s.exec(String(request.url)) ?? []
    const bytes = Buffer.concat(await request.toArray())
    got.set(Number(at), [...(got.get(Number(at)) ?? []), { method, url, headers, bytes }])
    response.end('got')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const calls = pictures.map(({ name, at: callAt }, at) => ({ name, at, call: callAt(`${origin}/${at}`) }))
  const { write } = [...shown, ...moreLanguages].find(({ label }) => label === language.label) as (typeof shown)[number]
  const samples = calls.map((called) => ({ ...called, source: write(called.call) }))
  const possible = samples.filter(({ source }) => !/fetch sends no|cmd\.exe sends/.test(source))
  const folder = await mkdtemp(`${tmpdir()}/samples-`)
  const printed = await run(language, folder, possible)
  await rm(folder, { recursive: true })
  server.close()
  server.closeAllConnections()
  const differences = possible.flatMap(({ name, at, call }) => {
    const [received, ...others] = got.get(at) ?? []
    if (!received || others.length > 0) return [`${name}: ${received ? 'sent twice' : `not sent: ${printed}`}`]
    return differencesOf(received, call, `${origin}/${at}`).map((text) => `${name}: ${text}`)
  })
  return { sent: possible.length, differences }
}

interface Sample {
  at: number
  call: Call
  source: string
}

/** @returns the end of what it printed as errors */
async function run(language: Language, folder: string, samples: readonly Sample[]): Promise<string> {
  const { fileOf: nameOf, written = (sample) => sample, around, command } = language
  const names = samples.map(({ at }) => nameOf(at))
  const sources = samples.map(({ at, source }) => [nameOf(at), written(source, at)] as const)
  const given = samples.flatMap(({ call }) => filesOf(call)).map((name) => [name, fileOf(name)] as const)
  for (const [name, content] of [...sources, ...Object.entries(around(names))])
    await writeFile(`${folder}/${name}`, content)
  for (const [name, content] of given) await writeFile(`${folder}/${name}`, content, 'latin1')
  const keys = samples.flatMap(({ call }) => variablesOf(call)).map((name) => [name, keyOf(name)])
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env, ...Object.fromEntries(keys) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors] = await Promise.all([text(child.stderr), once(child, 'close')])
  return errors.slice(-2000)
}

const textsOf = ({ url, headers }: Call) => [url, ...headers.map(([, value]) => value)]
const variablesOf = (call: Call) =>
  textsOf(call).flatMap((pieces) => pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.variables)))
const filesOf = ({ body }: Call) =>
  (body?.chunks ?? []).flatMap((chunk) => (typeof chunk === 'string' ? [] : [chunk.file]))

/** JSON may have other spaces, and a form other boundaries. */
function differencesOf({ method, url, headers, bytes }: Received, call: Call, server: string): string[] {
  const { body } = call
  const found: string[] = []
  const compare = (what: string, got: unknown, wanted: unknown) => {
    if (isDeepStrictEqual(got, wanted)) return
    const [one, other] = [got, wanted].map((value) => (Buffer.isBuffer(value) ? String(value) : JSON.stringify(value)))
    found.push(`${what} is ${one}, not ${other}`)
  }
  compare('the method', method, call.method)
  compare('the URL', new URL(`${server}${url}`).href, new URL(written(call.url)).href)
  for (const [name, value] of call.headers) {
    if (!body?.parts || name !== 'Content-Type') compare(name, headers[name.toLowerCase()], [written(value)])
  }
  const chunks = (body?.chunks ?? []).map((chunk) =>
    typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(fileOf(chunk.file), 'latin1'),
  )
  const wanted = Buffer.concat(chunks)
  if (body?.json !== undefined) compare('the body', valueIn(bytes), valueIn(wanted))
  else if (body?.parts) {
    compare('the form', partsIn(bytes, String(headers['content-type'])), partsIn(wanted, String(body.type)))
  } else compare('the body', bytes, wanted)
  return found
}

function written(text: Call['url']): string {
  const pieces = text.map((piece) => {
    if (typeof piece === 'string') return piece
    const value = piece.variables.map(keyOf).join(':')
    return piece.encoding === 'base64' ? Buffer.from(value).toString('base64') : value
  })
  return pieces.join('')
}

/** Numbers as they are written: `1.0` is another text of 1. */
function valueIn(bytes: Buffer): unknown {
  try {
    return parseExactly(String(bytes))
  } catch {
    return String(bytes)
  }
}

function partsIn(bytes: Buffer, type: string) {
  const parts = bytes
    .toString('latin1')
    .split(`--${/boundary="?([^";]+)/.exec(type)?.[1]}`)
    .slice(1, -1)
  return parts.map((part) => {
    const [head = '', content] = part.split(/\r\n\r\n(.*)\r\n$/s)
    return { head: head.trim().split('\r\n').sort(), content }
  })
}
