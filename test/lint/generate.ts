// `generate.ts NAME...` writes generated files; with --check, it fails if they are out of date.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Generated, update } from './update.ts'

/** Each loads only what it needs. */
const generators: Record<string, (root: string) => Promise<Generated>> = {
  types: async (root) => (await import('../../spec/scripts/generate-types.ts')).generateTypes(root),
  changelog: async (root) => (await import('../../spec/scripts/write-changelog.ts')).writeChangelog(root),
  imports: async () => (await import('./imports.js')).imports(),
  tables: async (root) => (await import('./tables.js')).tables(root),
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } })
for (const name of positionals) {
  const generated = await generators[name]?.('.')
  if (!generated) throw new Error(`${name} is not generated: only ${Object.keys(generators).join(', ')} are`)
  for (const error of await update('.', name === 'tables' ? 'types' : name, generated, values.check === true)) {
    console.error(error)
    process.exitCode = 1
  }
}
