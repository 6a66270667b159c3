// Writes generated files, or checks that they are up to date.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Texts by their paths in the project, and what is wrong with their sources. */
export interface Generated {
  files: Record<string, string>
  errors: string[]
}

/** @param name the npm script that generates the files. @returns the errors */
export async function update(
  root: string,
  name: string,
  { files, errors }: Generated,
  isCheck: boolean,
): Promise<string[]> {
  const outdated: string[] = []
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path)
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue
    if (isCheck) outdated.push(`${path} is not up to date: run "npm run ${name}" and commit the result.`)
    else await writeFile(file, text)
  }
  return [...errors, ...outdated]
}
