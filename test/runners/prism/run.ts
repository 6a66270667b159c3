// Prism: a proxy that compares requests and responses with the document, used by our own traffic and the typed client.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parse, stringify } from 'yaml'
import { project } from '../folders.ts'
import { packages, versionOf } from '../install.ts'
import { withServer, withService } from '../server.ts'
import type { Runner } from '../types.ts'
import { useClient } from './client.ts'
import { type Exchange, traffic } from './traffic.ts'

const contract = `${project}spec/openapi.yaml`
const valid = traffic.filter(({ isValid }) => isValid)

export const prism: Runner = {
  name: 'prism',
  version: versionOf('@stoplight/prism-cli'),
  needs: ['npm'],
  async run(folder) {
    const program = `${await packages()}@stoplight/prism-cli/dist/index.js`
    const wrong = `${folder}wrong.yaml`
    writeFileSync(wrong, wrongDocument())
    /** Each has fresh orders. */
    const behind = <T>(name: string, args: string[], use: (origin: string) => Promise<T>) =>
      withService({ log: `${folder}${name}-server.log` }, (baseUrl) => {
        const command = [program, 'proxy', '--host=127.0.0.1', ...args, baseUrl]
        const on = (port: string) => ({ command: process.execPath, args: [...command, `--port=${port}`] })
        return withServer(`${folder}${name}.log`, on, use)
      })

    const all = await behind('all', [contract], (origin) => send(origin, traffic))
    const strict = await behind('strict', ['--errors', contract], (origin) => send(origin, valid))
    const client = await behind('client', ['--errors', contract], useClient)
    const planted = await behind('wrong', [wrong], (origin) => send(origin, valid))

    const unseen = planted.filter(({ body, violates }) => body !== '' && !violates.response)
    const problems = [
      ...[...all, ...strict].filter((answer) => !isAsDocumented(answer)).map(describe),
      ...client.problems,
      ...unseen.map((answer) => `a violation was not seen in ${describe(answer)}`),
    ]
    const cases = all.length + strict.length + client.steps + planted.length
    return { cases, failures: problems.length, problems }
  },
}

function isAsDocumented({ exchange, status, violates }: Answer) {
  return status === exchange.status && violates.request === !exchange.isValid && !violates.response
}

function describe({ exchange: { method, path, status: expected }, status, report }: Answer) {
  return `${method} ${path}, which is to be ${expected}: ${status} ${report}`
}

/** Requires a field that no response has: the proxy must find a violation in every body. */
function wrongDocument() {
  const document = parse(readFileSync(contract, 'utf8'))
  for (const name of ['Order', 'Pet', 'Error']) document.components.schemas[name].required = ['planted']
  return stringify(document)
}

interface Answer {
  exchange: Exchange
  status: number
  body: string
  /** Whether it violates the document, by what the proxy reports. */
  violates: { request: boolean; response: boolean }
  report: string
}

/** Sequential, since a cancellation affects later responses. */
async function send(origin: string, exchanges: Exchange[]): Promise<Answer[]> {
  const answers = []
  for (const exchange of exchanges) {
    const { method, path, headers, body: sent = null } = exchange
    const answer = await fetch(`${origin}${path}`, { method, headers, body: sent })
    const report = answer.headers.get('sl-violations') ?? ''
    const body = await answer.text()
    answers.push({ exchange, status: answer.status, body, violates: violationsIn(report), report })
  }
  return answers
}

/** Prism's `sl-violations` header: JSON, cut when it is long. */
function violationsIn(report: string) {
  return { request: report.includes('"location":["request"'), response: report.includes('"location":["response"') }
}
