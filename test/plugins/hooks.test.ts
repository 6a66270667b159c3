// The hooks of all plugins together.
import t from 'tap'
import { ask, dial } from 'test-kit/raw'
import { authorization, build, storeOf } from '../fixtures/app.ts'

t.test('a request reaches its handler in the turn of its arrival: no hook makes a promise', async (t) => {
  let used: string[] = []
  const orders = new Proxy(await storeOf(t), {
    get(store, name) {
      used.push(String(name))
      return Reflect.get(store, name)
    },
  })
  const app = await build(t, { orders })
  const { socket } = await dial(t, app)
  const send = (request: string) =>
    ask(socket, `${request} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
  await send('GET /v1/store/orders') // from then on, its key is known
  let usedAtOnce: string[] = []
  app.server.on('request', () => {
    usedAtOnce = [...used]
  })
  for (const [request, use] of Object.entries({
    'GET /v1/store/orders': 'list',
    'DELETE /v1/store/orders/1': 'cancel',
    'GET /v1/pets/1': 'hasPet',
  })) {
    used = []
    await send(request)
    t.strictSame(usedAtOnce, [use], request)
  }
})
