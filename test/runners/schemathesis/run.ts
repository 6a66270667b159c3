// Schemathesis: thousands of generated requests, in four phases, with all checks enabled.
import { readFileSync, writeFileSync } from 'node:fs'
import { run } from '../command.ts'
import { here, project } from '../folders.ts'
import { programs, pythonVersionOf } from '../install.ts'
import { seconds } from '../options.ts'
import { KEY, withService } from '../server.ts'
import type { Outcome, Runner } from '../types.ts'

/** The number depends on the machine: thousands on an idle one. */
const MIN_CASES = 100
/** It cancels whatever it finds: the sample alone would leave nothing for its last phase. */
const ORDERS = 500

export const schemathesis: Runner = {
  name: 'schemathesis',
  version: pythonVersionOf('schemathesis'),
  needs: ['python3'],
  async run(folder) {
    const program = `${await programs()}schemathesis`
    const [orders, report, events] = ['orders.ndjson', 'report.json', 'events.ndjson'].map((name) => folder + name)
    const args = [
      ...['--config-file', `${here}schemathesis/schemathesis.toml`, 'run', `${project}spec/openapi.yaml`],
      // A cancel changes what a replayed request meets, which ends a phase early: until the time is over, the phases repeat.
      ...['--checks=all', `--max-time=${seconds()}`],
      ...['--report=json,ndjson', `--report-json-path=${report}`, `--report-ndjson-path=${events}`],
    ]
    writeFileSync(String(orders), textOfOrders())
    const code = await withService({ log: `${folder}server.log`, ordersFile: String(orders) }, (baseUrl) =>
      run(program, args, { cwd: folder, log: `${folder}output.log`, env: { BASE_URL: baseUrl, API_KEY: KEY } }),
    )
    const outcome = outcomeOf(code, JSON.parse(readFileSync(String(report), 'utf8')))
    if (cancelsAfterList(String(events)) === 0) outcome.problems.push('no order was cancelled by an id of the list')
    return outcome
  },
}

/** Orders that can be cancelled, and the sample. The link of the document leads to the first of the list. */
function textOfOrders() {
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
  const lines = readFileSync(events, 'utf8').match(/^\{"ScenarioFinished".*$/gm) ?? []
  const scenarios = lines.map((line) => JSON.parse(line).ScenarioFinished.recorder)
  return scenarios.flatMap(({ cases, interactions }) => {
    const linked = Object.entries<{ transition?: { id: string } }>(cases ?? {}).filter(([, { transition }]) =>
      /^GET \/store\/orders -> .* -> DELETE /.test(String(transition?.id)),
    )
    return linked.filter(([id]) => interactions[id]?.response?.status_code === 204)
  }).length
}
