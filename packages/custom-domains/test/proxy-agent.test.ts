// The agent for HTTPS requests through proxies. Versions of Node.js that open no tunnels see the simulated ones only.
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { createServer } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { canProxy, connectProxy, type OnConnect } from 'test-kit/connect-proxy'
import { listen } from 'test-kit/ports'
import { ProxyAgent } from '../src/proxy-agent.ts'

type Settle = (error: Error | null, tunnel: Duplex) => void

/** A connection to a proxy that `settle` makes a tunnel of, or not. `outcome` is what the agent's request gets. */
function simulated(t: Test, tunnelMs?: number) {
  const connection = new Duplex()
  const settled: Settle[] = []
  t.intercept(Agent.prototype, 'createConnection', {
    value(_options: object, settle: Settle) {
      settled.push(settle)
      return connection
    },
  })
  const agent = new ProxyAgent({}, tunnelMs)
  const outcome = new Promise<unknown>((resolve) =>
    agent.createConnection({}, (error, tunnel) => resolve(error ?? tunnel)),
  )
  return { agent, connection, outcome, settle: settled[0] as Settle }
}

t.test('a tunnel that is open is passed on; the connection of one that failed is closed', async (t) => {
  const tunnel = new Duplex()
  for (const error of [null, new Error('407')]) {
    const { connection, outcome, settle } = simulated(t)
    settle(error, tunnel)
    t.equal(await outcome, error ?? tunnel)
    t.equal(connection.destroyed, error !== null)
  }
})

t.test('so is one that is not open in time', async (t) => {
  const { connection, outcome } = simulated(t, 1)
  await sleep(1) // timers of one duration end in order
  t.match(await outcome, { message: 'the proxy did not open a tunnel in time' })
  t.ok(connection.destroyed)
})

t.test('and one that is on its way when the agent is destroyed', async (t) => {
  const { agent, connection } = simulated(t)
  agent.destroy()
  t.ok(connection.destroyed)
})

t.test('a direct connection has no such limit', async (t) => {
  const server = createServer()
  const port = await listen(t, server)
  const agent = new ProxyAgent({}, 1)
  const pending = request({ agent, port, host: '127.0.0.1' }).on('error', () => {})
  t.teardown(() => agent.destroy())
  const [socket] = await once(pending, 'socket')
  await once(socket, 'connect')
  await sleep(1)
  t.notOk(socket.destroyed)
})

for (const onConnect of ['407 Proxy Authentication Required', 'silence', 'silent tunnel'] satisfies OnConnect[]) {
  t.test(`a proxy that responds with ${onConnect} keeps no connection`, { skip: !canProxy }, async (t) => {
    const { authority, abandoned, arrived } = await connectProxy(t, onConnect)
    const agent = new ProxyAgent({ proxyEnv: { HTTPS_PROXY: `http://${authority}` } }, 100)
    const pending = request({ agent, host: 'ca.test' })
    const [error] = await once(pending, 'error').catch((error) => [error])
    t.match(error.message, onConnect.startsWith('407') ? onConnect : 'in time')
    await arrived('CONNECT ca.test:443')
    await abandoned()
  })
}
