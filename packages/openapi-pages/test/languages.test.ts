// What holds of a sample in any language, also in one that is not installed.
import t from 'tap'
import { languages, moreLanguages } from '../browser/languages.js'
import { type Callable, callOf, type Input } from '../browser/request.js'
import { pictures } from './fixtures/pictures.ts'

const callable: Callable = {
  ...{ id: 'send', method: 'POST', path: '/a', parameters: [], alternatives: [], accept: [], hasResult: true },
  client: undefined,
}
const input: Input = { path: {}, query: {}, headers: {}, cookies: {} }

t.test('a sample has the address, every key and every file of its request', async (t) => {
  for (const { label, write } of [...languages, ...moreLanguages]) {
    for (const { method = 'POST', key = [], cannot = [], ...given } of pictures) {
      const call = callOf({ ...callable, method }, { ...input, ...given }, 'http://h', key)
      const sample = write(call)
      t.notMatch(sample, /\bundefined\b|\[object/, label)
      if (cannot.includes(label)) continue
      const files = (call.body?.chunks ?? []).flatMap((chunk) => (typeof chunk === 'string' ? [] : [chunk.file]))
      for (const text of ['http://h/a', ...key.flatMap(({ variables }) => variables), ...files])
        t.ok(sample.includes(text), `${label}: ${text}`)
    }
  }
})

t.test('a header without a value has an empty text', async (t) => {
  const call = callOf(callable, { ...input, headers: { 'X-Empty': '' } }, 'http://h')
  for (const { label, write } of [...languages, ...moreLanguages].filter(({ lang }) => !/^(sh|bat)$/.test(lang)))
    t.match(write(call), /X-Empty.*(''|""|: ['"])/, label)
})
