// Schemathesis: thousands of generated requests, in four phases, and every check that it has.
import { readFileSync, writeFileSync } from 'node:fs'
import { run } from '../command.js'
import { here, project, reports } from '../folders.js'
import { installed } from '../install.js'
import { KEY, withService } from '../server.js'

/** How many there are is a matter of the machine: thousands, if it has nothing else to do. */
const MIN_CASES = 100
/** It cancels whatever it finds: with the sample alone nothing is left for its last phase. */
const ORDERS = 500
const requirements = `${here}schemathesis/requirements.txt`

/** @type {import('../run.js').Runner} */
export const schemathesis = {
  name: 'schemathesis',
  version: String(/schemathesis==(\S+)/.exec(readFileSync(requirements, 'utf8'))?.[1]),
  needs: ['python3'],
  async run(folder) {
    const venv = await installed('python', requirements, install)
    const files = {
      orders: `${folder}orders.ndjson`,
      report: `${folder}report.json`,
      events: `${folder}events.ndjson`,
      log: `${folder}output.log`,
    }
    const args = [
      ...['--config-file', `${here}schemathesis/schemathesis.toml`, 'run', `${project}spec/openapi.yaml`],
      ...['--checks=all', '--report=json,ndjson', `--report-json-path=${files.report}`],
      `--report-ndjson-path=${files.events}`,
    ]
    writeFileSync(files.orders, orders())
    const code = await withService({ log: `${folder}server.log`, ordersFile: files.orders }, (baseUrl) =>
      run(`${venv}bin/schemathesis`, args, { cwd: folder, log: files.log, env: { BASE_URL: baseUrl, API_KEY: KEY } }),
    )
    return outcomeOf(code, JSON.parse(readFileSync(files.report, 'utf8')), cancelsAfterList(files.events))
  },
}

/** The sample, and orders that can be cancelled. */
function orders() {
  const pending = Array.from({ length: ORDERS }, (_, index) => `{"id":${2001 + index},"petId":${501 + (index % 12)}}\n`)
  return readFileSync(`${project}store/memory/sample.ndjson`, 'utf8') + pending.join('')
}

/** @param {string} venv */
async function install(venv) {
  const log = `${reports}python.log`
  if ((await run('python3', ['-m', 'venv', venv], { log })) !== 0) {
    throw new Error(`python3 -m venv failed, see ${log}. On Debian: apt-get install python3-venv`)
  }
  const code = await run(`${venv}bin/pip`, ['install', '--disable-pip-version-check', '-r', requirements], { log })
  if (code !== 0) throw new Error(`pip install failed, see ${log}`)
}

/**
 * @typedef {object} Report
 * @property {boolean} complete
 * @property {Record<string, { status: string }>} phases
 * @property {{ generated: number, with_failures: number, errored: number, without_checks: number }} test_cases
 * @property {Record<string, unknown[]>} warnings
 */

/** @param {number} code @param {Report} report @param {number} cancels @returns {import('../run.js').Outcome} */
function outcomeOf(code, { complete, phases, test_cases: cases, warnings }, cancels) {
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
      ...(cancels === 0 ? ['no order was cancelled by an id of the list'] : []),
    ],
  }
}

/** How many orders the stateful phase cancelled after it had read their ids in the list. @param {string} events */
function cancelsAfterList(events) {
  const scenarios = readFileSync(events, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"ScenarioFinished"'))
    .map((line) => JSON.parse(line).ScenarioFinished.recorder)
  return scenarios.flatMap(({ cases, interactions }) => {
    const linked = Object.entries(cases ?? {}).filter(([, { transition }]) =>
      /^GET \/store\/orders -> .* -> DELETE /.test(transition?.id),
    )
    return linked.filter(([id]) => interactions[id]?.response?.status_code === 204)
  }).length
}
