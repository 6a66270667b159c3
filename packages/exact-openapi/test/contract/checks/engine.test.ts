// What this package changes in Ajv.
import t from 'tap'
import { createEngine } from '../../../src/contract/checks/engine.ts'

t.test('errors behind references are joined in place', async (t) => {
  const engine = createEngine(true, 'request')
  const { code } = engine.opts
  const sources: (readonly [written: string, run: string])[] = []
  const process = code?.process as (source: string) => string
  Object.assign(engine.opts, {
    code: {
      ...code,
      process: (source: string) => {
        const run = process(source)
        sources.push([source, run])
        return run
      },
    },
  })
  engine.addSchema({ type: 'object', properties: { next: { $ref: 'list' } } }, 'list')
  engine.compile({ $ref: 'list' })
  t.ok(sources.some(([written]) => written.includes('vErrors.concat(')))
  t.notOk(sources.some(([, run]) => run.includes('.concat(')))
})
