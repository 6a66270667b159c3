// oapi-codegen: generates a Go client from the document, compiles it, and runs a Go test of it.
import { readFileSync } from 'node:fs'
import { run } from '../command.ts'
import { here } from '../folders.ts'
import { KEY, withService } from '../server.ts'
import type { Runner } from '../types.ts'

const cwd = `${here}go`

export const go: Runner = {
  name: 'oapi-codegen',
  version: String(/oapi-codegen\/v2 v(\S+)/.exec(readFileSync(`${cwd}/go.mod`, 'utf8'))?.[1]),
  needs: ['go'],
  async run(folder) {
    const generate = ['tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', '../../../spec/openapi.yaml']
    const log = `${folder}generate.log`
    if ((await run('go', generate, { cwd, log })) !== 0) throw new Error(`no client was generated, see ${log}`)

    const report = `${folder}test.ndjson`
    const orders = { log: `${folder}server.log`, ordersFile: `${cwd}/orders.ndjson` }
    const code = await withService(orders, (baseUrl) =>
      run('go', ['test', '-count=1', '-json'], { cwd, log: report, env: { BASE_URL: baseUrl, API_KEY: KEY } }),
    )
    const lines = readFileSync(report, 'utf8').match(/^\{.*$/gm) ?? []
    const events = lines.map((line) => JSON.parse(line))
    const count = (action: string) => events.filter(({ Action, Test }) => Test && Action === action).length
    const problems = code === 0 && count('pass') > 0 ? [] : [`the Go test failed, see ${report}`]
    return { cases: count('run'), failures: count('fail'), skipped: count('skip'), problems }
  },
}
