// An agent for HTTPS requests through proxies. Node.js's own waits without end for the TLS handshake in a tunnel, and keeps
// the connection of a tunnel that failed, even after it is destroyed.
import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import type { Duplex } from 'node:stream'

/** The variables HTTPS_PROXY and NO_PROXY, as Node.js's agents take them, from 22.21 and 24.5 on. */
export type ProxyEnv = Readonly<Record<string, string>>

/** How long a proxy may take to open a tunnel, and the host in it to complete the handshake. */
const TUNNEL_MS = 10_000

/** An agent of node:https whose `proxyEnv` names the proxies. Without one, it connects as Node's own does. */
export class ProxyAgent extends Agent {
  readonly #connections = new Set<Duplex>()
  readonly #tunnelMs: number

  constructor(options: AgentOptions & { proxyEnv?: ProxyEnv | undefined }, tunnelMs = TUNNEL_MS) {
    super(options)
    this.#tunnelMs = tunnelMs
  }

  /** For a tunnel, returns the connection to the proxy and passes the one within it to the callback. */
  override createConnection(options: RequestOptions, callback: (error: Error | null, connection: Duplex) => void) {
    const settle: typeof callback = (error, tunnel) => {
      clearTimeout(timer)
      if (error) connection.destroy()
      callback(error, tunnel)
    }
    const connection = super.createConnection(options, settle) as Duplex
    this.#connections.add(connection)
    connection.once('close', () => {
      clearTimeout(timer)
      this.#connections.delete(connection)
    })
    const timer = setTimeout(() => {
      if (!this.#isPooled(connection)) settle(new Error('the proxy did not open a tunnel in time'), connection)
    }, this.#tunnelMs).unref()
    return connection
  }

  override destroy() {
    super.destroy()
    for (const connection of this.#connections) connection.destroy()
  }

  /** Direct connections are, from the start. */
  #isPooled(connection: Duplex): boolean {
    const pools = [this.sockets, this.freeSockets].flatMap((sockets) => Object.values(sockets))
    return pools.some((sockets) => sockets?.some((socket) => socket === connection))
  }
}
