// npm start: compiles what changed since the last build, then runs the server in this process.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { encoding: 'utf8' })
if (status === 0) await import(new URL('../dist/server.js', import.meta.url).href)
else {
  const isReadOnly = /error TS5033: /.test(stdout)
  process.stderr.write(
    isReadOnly ? 'Cannot write to dist/. Let its owner run "npm run build", then start again.\n' : stdout,
  )
  process.exitCode = 1
}
