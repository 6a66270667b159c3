// The source files that mutants are planted in, and the tests that should notice them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sourceOf } from '../../deploy/workspaces.js'
import { byRelevance } from './relevance.ts'

/** Of its own part, and as many of others. */
const NEAREST = 12

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Of the work tree, new ones included. */
export const projectFiles = (): string[] =>
  git('ls-files', '--cached', '--others', '--exclude-standard').filter((file) => existsSync(file))

/** Code that tests load by themselves; the browsers' is tested in a browser. */
export function isSource(file: string): boolean {
  return /\.ts$/.test(file) && !/\.d\.ts$|(^|\/)(test|test-kit|bench|browser|scripts)\//.test(file)
}

/** Those that differ from the last commit, and new ones. */
export const changedFiles = (): string[] => [
  ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard'),
]

/** The lines that differ from a commit, from 1, by file. */
export function changedLines(base: string): Map<string, Set<number>> {
  const changed = new Map<string, Set<number>>()
  let file = ''
  for (const text of git('diff', '--unified=0', '--no-prefix', base)) {
    file = /^\+\+\+ (.*)/.exec(text)?.[1] ?? file
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
    if (start === undefined) continue
    const lines = Array.from({ length: Number(count) }, (_, at) => Number(start) + at)
    changed.set(file, new Set([...(changed.get(file) ?? []), ...lines]))
  }
  return changed
}

/**
 * The nearest test files that import it, directly or not: those of its part first, and of these the ones of its name; then
 * those that have most to do with the lines, and last those that start processes.
 * @param lines of the file, from 1; all of them, if there are none
 */
export function testsOf(file: string, files: readonly string[], lines: Iterable<number> = []): string[] {
  const [top = '', part = ''] = file.split('/')
  const folders = top === 'packages' ? [`${top}/${part}/test/`, `test/${top}/${part}/`] : part ? [`test/${top}/`] : []
  const isOwn = (test: string) => (part ? folders.some((folder) => test.startsWith(folder)) : dirname(test) === 'test')
  const mirrored = file.startsWith('packages/') ? dirname(file).replace('/src', '/test') : join('test', dirname(file))
  const isNamed = (test: string) =>
    namesOf(test) === namesOf(file) && (dirname(test) === mirrored || test.startsWith('test/process/'))
  const tests = files.filter((each) => /\.(test|mock)\.ts$/.test(each) && (isNamed(each) || imports(each, file)))
  const place = (test: string) => (isNamed(test) ? 0 : test.startsWith('test/process/') ? 2 : 1)
  const sorted = byRelevance(file, lines, tests).sort((one, other) => place(one) - place(other))
  const isNear = (test: string) => isOwn(test) || isNamed(test)
  return [sorted.filter(isNear), sorted.filter((test) => !isNear(test))].flatMap((some) => some.slice(0, NEAREST))
}

const namesOf = (file: string) => basename(file).replace(/(\.(test|mock))?\.[jt]s$/, '')

/** Whether the test imports the file, directly or not. */
function imports(test: string, file: string): boolean {
  const seen = new Set([test])
  for (const each of seen) for (const imported of importsOf(each)) seen.add(imported)
  return seen.has(file)
}

/** By file: what its tests start as a process also counts as imported. */
const known = new Map<string, string[]>([['test/fixtures/process.ts', ['server.ts', 'cli/index.ts']]])

function importsOf(file: string): string[] {
  const found = known.get(file)
  if (found) return found
  const specifiers = readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"\n]+\.[jt]s|[a-z][a-z0-9/-]*)['"]/g)
  const fileOf = (specifier: string) =>
    specifier.startsWith('.') ? join(dirname(file), specifier) : sourceOf(specifier)
  const imported = Array.from(specifiers, ([, specifier = '']) => fileOf(specifier) ?? '').filter(existsSync)
  known.set(file, imported)
  return imported
}
