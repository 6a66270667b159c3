import t from 'tap'
import { pathOf, tooLong } from '../../src/contract/routes.ts'

t.test('operations are at the path of the first server', async (t) => {
  t.equal(pathOf([{ url: 'https://a.example/v1//' }, { url: '/v2' }]), '/v1')
  t.equal(pathOf([{ url: '/{base}/b%20c', variables: { base: { default: 'x:y' } } }]), '/x::y/b c')
  t.equal(pathOf([{ url: '{host}' }]), '')
  t.equal(pathOf([]), '')
})

t.test('a path parameter of more than 100 characters is longer than the router takes', async (t) => {
  const linesOf = (maxLength: number, location = 'path') =>
    tooLong([{ id: 'ask', parameters: [{ in: location, name: 'p', schema: { pointer: '', maxLength } }] }] as never)
  t.strictSame([linesOf(100).length, linesOf(101).length, linesOf(101, 'query').length], [0, 1, 0])
})
