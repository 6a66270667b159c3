import { createContext, runInContext } from 'node:vm'
import t from 'tap'
import { scriptOf } from '../src/static/script.ts'

/** What the modules call `log` with. */
async function run(modules: Record<string, string>): Promise<unknown[]> {
  const logged: unknown[] = []
  const context = createContext({ log: (...values: unknown[]) => logged.push(...values) })
  await runInContext(scriptOf('start.js', new Map(Object.entries(modules))), context)
  await new Promise(setImmediate)
  return logged
}

t.test('modules run once, in the order of their imports, with names of their own', async (t) => {
  const modules = {
    'start.js': "import { one, load } from './one.js'\nimport Two from './two.js'\nlog(one(), load, new Two().kept)",
    'one.js':
      "import { kept } from './kept.js'\nlog('one')\nexport async function other() {}\nexport const one = () => kept\nexport const load = 5",
    'two.js': "import { kept } from './kept.js'\nclass Two {\n  kept = kept\n}\nexport { Two as default };",
    'kept.js': "export { again } from './again.js'\nlog('kept')\nexport const kept = {}\nexport class Never {}",
    'again.js': 'export const again = 1',
    'unused.js': 'log(1)',
  }
  const [first, second, kept, load, same] = await run(modules)
  t.strictSame([first, second, load], ['kept', 'one', 5])
  t.equal(kept, same)
})

t.test('nothing in it ends the element, and documentation is left out', async (t) => {
  const start =
    "/**\n * Long.\n */\nlog('</script><!--<SCRIPT>', /** @type {5} */ (5))\n/** Short. */\nlog(`\n/* kept */`)"
  const script = scriptOf('start.js', new Map([['start.js', start]]))
  t.notMatch(script, /<\/?script|<!--|Long|Short/i)
  t.strictSame(await run({ 'start.js': start }), ['</script><!--<SCRIPT>', 5, '\n/* kept */'])
})

t.test('a module that is missing is named', async (t) => {
  t.throws(
    () => scriptOf('start.js', new Map([['start.js', "import { a } from './a.js'"]])),
    /no script is called a.js/,
  )
})
