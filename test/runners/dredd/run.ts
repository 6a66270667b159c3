// Dredd: triggers every documented response and compares it.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { answers } from '../answers.ts'
import { run } from '../command.ts'
import { here } from '../folders.ts'
import { packages, versionOf } from '../npm.ts'
import { withService } from '../server.ts'
import type { Runner } from '../types.ts'

export const dredd: Runner = {
  name: 'dredd',
  version: versionOf('dredd'),
  needs: ['npm'],
  async run(folder) {
    const program = `${await packages()}dredd/bin/dredd`
    const table = `${folder}answers.json`
    writeFileSync(table, JSON.stringify(answers))
    const report = `${folder}report.xml`
    // It warns of what its own parser ignores, such as formats.
    const options = [`--hookfiles=${here}dredd/hooks.cjs`, '--reporter=xunit', `--output=${report}`, '--loglevel=error']
    const code = await withService({ log: `${folder}server.log` }, (baseUrl) =>
      run(process.execPath, [program, 'spec/openapi.yaml', baseUrl, ...options], {
        log: `${folder}output.log`,
        env: { ANSWERS: table },
      }),
    )
    const suite = /<testsuite [^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? ''
    const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1])
    const [cases, skipped] = [count('tests'), count('skip')]
    return {
      cases,
      failures: count('failures') + count('errors'),
      warnings: 0,
      skipped,
      problems: [
        ...(code === 0 ? [] : [`it ended with ${code}, see ${folder}output.log`]),
        ...(cases - skipped === answers.length
          ? []
          : [`${answers.length} responses can be triggered, it triggered ${cases - skipped}`]),
      ],
    }
  },
}
