// Installs the peers unless they match package-lock.json.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const changedAt = (file) => statSync(`${folder}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes this file last.
if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  execFileSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], { stdio: 'inherit' })
}
