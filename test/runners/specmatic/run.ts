// Specmatic: every response that it can trigger, and invalid requests derived from successful ones.
import { readFileSync } from 'node:fs'
import { run } from '../command.ts'
import { project } from '../folders.ts'
import { packages, versionOf } from '../npm.ts'
import { KEY, withService } from '../server.ts'
import type { Runner } from '../types.ts'
import { skipped, writeExamples } from './examples.ts'

export const specmatic: Runner = {
  name: 'specmatic',
  version: versionOf('specmatic'),
  needs: ['npm', 'java'],
  async run(folder) {
    const program = `${await packages()}specmatic/specmatic.jar`
    const examples = `${folder}examples/`
    writeExamples(examples)
    const code = await withService({ log: `${folder}server.log` }, (baseUrl) => {
      const options = [`--testBaseURL=${baseUrl}`, `--examples=${examples}`, `--junitReportDir=${folder}`]
      return run('java', ['-jar', program, 'test', `${project}spec/openapi.yaml`, ...options], {
        cwd: folder,
        log: `${folder}output.log`,
        env: { apiKey: KEY, SPECMATIC_GENERATIVE_TESTS: 'true' }, // the variable of a key has the name of its security scheme
      })
    })
    const report = readFileSync(`${folder}TEST-junit-jupiter.xml`, 'utf8')
    const count = (name: string) => Number(new RegExp(`<testsuite [^>]*${name}="(\\d+)"`).exec(report)?.[1])
    const wrongTypes = report.match(/&gt; -ve /g)?.length ?? 0
    return {
      cases: count('tests'),
      failures: count('failures') + count('errors'),
      warnings: 0,
      skipped,
      problems: [
        ...(code === 0 ? [] : [`it ended with ${code}, see ${folder}output.log`]),
        ...(wrongTypes > 0 ? [] : ['no request had a wrong type']),
      ],
    }
  },
}
