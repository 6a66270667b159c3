// The programs that the benchmark runs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { binariesFolder } from '../test/postgres/binaries.js'

const tools = ['taskset', 'wrk', 'nginx', 'psql', 'pgbench']

export const missingTools = () => tools.filter((tool) => spawnSync(tool, ['-V']).error)

/** Names and versions, in one line. */
export function versions() {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const { dependencies: peers } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  const byName = {
    'Node.js': process.version.slice(1),
    Fastify: dependencies.fastify,
    'express-openapi-validator': peers['express-openapi-validator'],
    nginx: versionOf('nginx', '-v'),
    PostgreSQL: versionOf(join(binariesFolder(), 'postgres'), '-V'),
    pgbench: versionOf('pgbench', '-V'),
    wrk: versionOf('wrk', '-v'),
  }
  return Object.entries(byName)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}

function versionOf(program, flag) {
  const { stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' })
  return /\d+\.[\d.]+/.exec(stdout + stderr)?.[0] ?? 'unknown'
}
