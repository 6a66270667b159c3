// .ci/run and the workflows run the same parts.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { parse } from 'yaml'
import { page } from '../docs/pages.ts'

const script = await readFile('.ci/run', 'utf8')

/** The parts of a list in the script. */
function partsOf(list: string): string[] {
  const [, stages = ''] = new RegExp(`^${list}=\\((.*?)\\)$`, 'ms').exec(script) ?? []
  return stages.match(/[a-z]+/g) ?? []
}

/** The parts in the matrices of a workflow, without their arguments. */
async function partsIn(workflow: string): Promise<string[]> {
  const { jobs } = parse(await readFile(`.github/workflows/${workflow}`, 'utf8'))
  const parts = Object.values<{ strategy?: { matrix: { part?: string[] } } }>(jobs).flatMap(
    ({ strategy }) => strategy?.matrix.part ?? [],
  )
  return [...new Set(parts.map((part) => String(part.split(' ')[0])))].toSorted()
}

for (const [list, workflow, ...ofLanes] of [
  ['gate', 'ci.yml', 'build'], // a job of the workflow builds what it needs
  ['nightly', 'nightly.yml'],
] as const) {
  t.test(`each part of ${list} is in the workflow`, async (t) => {
    const parts = partsOf(list).filter((part) => !ofLanes.some((other) => other === part))
    t.ok(parts.length > 2)
    t.strictSame(await partsIn(workflow), parts.toSorted())
  })
}

t.test("the merge checks begin with the README's test command, word for word", async (t) => {
  t.equal(partsOf('gate')[0], 'test')
  const [, command = ''] = /^part_test\(\) \{\n {2}on_node \d+ (.*)\n\}$/m.exec(script) ?? []
  t.ok(blocksOf(page('README.md')).some(({ language, text }) => language === 'sh' && text.trim() === command))
})
