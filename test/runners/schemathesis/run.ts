// Schemathesis: thousands of generated requests, in four phases, with all checks enabled.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { run } from '../command.ts'
import { here, project } from '../folders.ts'
import { seconds } from '../options.ts'
import { programs, pythonVersionOf } from '../python.ts'
import { KEY, withServer, withService } from '../server.ts'
import type { Outcome, Runner } from '../types.ts'

/** The number depends on the machine: thousands on an idle one. */
const MIN_CASES = 100
/** It cancels whatever it finds: the sample alone would leave nothing for its last phase. */
const ORDERS = 500
const foreign = ['petstore', 'styles']

const common = {
  version: pythonVersionOf('schemathesis'),
  needs: ['python3'],
}

/** Documents of other projects, whose operations echo their input. */
export const contract: Runner = {
  name: 'contract',
  ...common,
  async run(folder) {
    const program = `${await programs()}schemathesis`
    const outcomes: Outcome[] = []
    for (const name of foreign) {
      const [document, report] = [`${folder}${name}.json`, `${folder}${name}-report.json`]
      const server = [`--import=${project}test/loader/typescript.js`, `${here}foreign/server.ts`, name]
      const options = [`--max-time=${seconds()}`, '--report=json', `--report-json-path=${report}`]
      const code = await withServer(
        `${folder}${name}-server.log`,
        (port) => ({ command: process.execPath, args: [...server, port, document] }),
        (origin) =>
          run(program, ['--config-file', `${here}foreign/schemathesis.toml`, 'run', document, ...options], {
            cwd: folder,
            log: `${folder}${name}.log`,
            env: { BASE_URL: `${origin}/v1` },
          }),
      )
      const { phases, ...others } = JSON.parse(readFileSync(report, 'utf8'))
      delete phases.stateful // disabled: the operations keep no state
      outcomes.push(outcomeOf(code, { ...others, phases }))
    }
    const sum = (key: 'cases' | 'failures' | 'warnings' | 'skipped') =>
      outcomes.reduce((total, outcome) => total + outcome[key], 0)
    return {
      cases: sum('cases'),
      failures: sum('failures'),
      warnings: sum('warnings'),
      skipped: sum('skipped'),
      problems: outcomes.flatMap(({ problems }, at) => problems.map((problem) => `${foreign[at]}: ${problem}`)),
    }
  },
}

export const schemathesis: Runner = {
  name: 'schemathesis',
  ...common,
  async run(folder) {
    const program = `${await programs()}schemathesis`
    const files = {
      orders: `${folder}orders.ndjson`,
      report: `${folder}report.json`,
      events: `${folder}events.ndjson`,
      log: `${folder}output.log`,
    }
    const args = [
      ...['--config-file', `${here}schemathesis/schemathesis.toml`, 'run', `${project}spec/openapi.yaml`],
      // A cancel changes what a replayed request meets, which ends a phase early: until the time is over, the phases repeat.
      ...['--checks=all', `--max-time=${seconds()}`],
      ...['--report=json,ndjson', `--report-json-path=${files.report}`],
      `--report-ndjson-path=${files.events}`,
    ]
    writeFileSync(files.orders, orders())
    const code = await withService({ log: `${folder}server.log`, ordersFile: files.orders }, (baseUrl) =>
      run(program, args, { cwd: folder, log: files.log, env: { BASE_URL: baseUrl, API_KEY: KEY } }),
    )
    const outcome = outcomeOf(code, JSON.parse(readFileSync(files.report, 'utf8')))
    if (cancelsAfterList(files.events) === 0) outcome.problems.push('no order was cancelled by an id of the list')
    return outcome
  },
}

/** Orders that can be cancelled, and the sample. The link of the document leads to the first of the list. */
function orders() {
  const pending = Array.from({ length: ORDERS }, (_, index) => `{"id":${2001 + index},"petId":${501 + (index % 12)}}\n`)
  return pending.join('') + readFileSync(`${project}store/memory/sample.ndjson`, 'utf8')
}

export interface Report {
  complete: boolean
  phases: Record<string, { status: string }>
  test_cases: { generated: number; with_failures: number; errored: number; without_checks: number }
  warnings: Record<string, unknown[]>
}

function outcomeOf(code: number, { complete, phases, test_cases: cases, warnings }: Report): Outcome {
  const warned = Object.entries(warnings).filter(([, list]) => list.length > 0)
  const unfinished = Object.entries(phases).filter(([, { status }]) => status !== 'success')
  return {
    cases: cases.generated,
    failures: cases.with_failures + cases.errored,
    warnings: warned.length,
    skipped: cases.without_checks,
    problems: [
      ...(code === 0 && complete ? [] : [`it ended with ${code}`]),
      ...unfinished.map(([name, { status }]) => `the phase ${name} ended with ${status}`),
      ...warned.map(([name, list]) => `it warns of ${name}: ${list.join(', ')}`),
      ...(cases.generated < MIN_CASES ? [`fewer than ${MIN_CASES} cases`] : []),
    ],
  }
}

/** The number of orders that the stateful phase cancelled with ids from the list. */
function cancelsAfterList(events: string) {
  const scenarios = readFileSync(events, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"ScenarioFinished"'))
    .map((line) => JSON.parse(line).ScenarioFinished.recorder)
  return scenarios.flatMap(({ cases, interactions }) => {
    const linked = Object.entries<{ transition?: { id: string } }>(cases ?? {}).filter(([, { transition }]) =>
      /^GET \/store\/orders -> .* -> DELETE /.test(String(transition?.id)),
    )
    return linked.filter(([id]) => interactions[id]?.response?.status_code === 204)
  }).length
}
