// The fuzzer beside express-openapi-validator, with a seed of its own each time.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { run } from '../command.ts'
import { here, project } from '../folders.ts'
import { packages, versionOf } from '../install.ts'
import type { Runner } from '../types.ts'

const COUNT = 5_000

export const fuzz: Runner = {
  name: 'fuzz',
  version: versionOf('express-openapi-validator'),
  needs: [],
  async run(folder) {
    const log = `${folder}output.log`
    const script = [`--import=${project}test/loader/typescript.js`, `${here}fuzz/fuzz.ts`]
    const code = await run(process.execPath, [...script, await packages(), '--count', String(COUNT)], { log })
    const [seed = '', ...lines] = readFileSync(log, 'utf8').trimEnd().split('\n')
    console.log(`fuzz ${seed}`)
    if (code !== 0 && !lines.at(-1)?.startsWith('{"requests"')) throw new Error(`it ended with ${code}, see ${log}`)
    const { requests, accepted, unexplained } = JSON.parse(String(lines.at(-1)))
    const problems = [
      ...(unexplained > 0 ? [`${unexplained} unexplained differences, see ${log}`] : []),
      ...(accepted > requests / 5 ? [] : [`only ${accepted} of ${requests} requests were accepted`]),
    ]
    return { cases: requests, failures: unexplained, problems }
  },
}
