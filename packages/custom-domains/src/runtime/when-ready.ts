// Publishes as soon as the storage is reachable; until then, the ports and the registry respond with 503.
import type { ConnectionLimits } from 'http-edge'
import { type Log, logRequest } from '../maintenance/log.ts'
import { type Address, type OpenPorts, openPorts } from '../ports/listeners.ts'
import type { Registry } from '../registry/index.ts'
import { StorageUnavailableError } from '../state/storage.ts'
import { growingPauses } from '../time.ts'
import type { AppServer, Publishing } from './index.ts'

export interface WaitingOptions {
  /** Called again after a pause while it rejects. */
  publish(): Promise<Publishing>
  report(level: 'error', message: string): void
  closeStorage(): Promise<void>
  /** The max-age of Strict-Transport-Security; 0 for none. */
  hstsSeconds: number
  /** The body of a response for a host that is not live. */
  unservedText?: string | undefined
}

export interface PublishedDomains extends Pick<Publishing, 'SNICallback' | 'challenge'> {
  /** @throws StorageUnavailableError until the storage is reachable */
  readonly registry: Registry
  /** Undefined until the storage is reachable. */
  readonly webhook: Publishing['webhook']
  /**
   * Opens the ports at a host, '' for all addresses, and starts due attempts.
   * @returns the ports that were opened: for port 0, any free one
   */
  listen(app: AppServer, address: Address, connectionLimits?: ConnectionLimits): Promise<Address['ports']>
  /** Starts due attempts without ports. */
  start(log: Log): Promise<void>
  close(): Promise<void>
}

const RETRY_AFTER_S = 2

/** @throws the first rejection of `publish`, unless the storage is merely unreachable */
export async function publishWhenReady(options: WaitingOptions): Promise<PublishedDomains> {
  const { publish, report, closeStorage, hstsSeconds, unservedText } = options
  const closing = new AbortController()
  let ports: OpenPorts | undefined
  let trying: Promise<void> | undefined
  let published = await publish().catch((error): Publishing | undefined => {
    if (error instanceof StorageUnavailableError) return undefined
    throw error
  })

  /** An operator may repair the storage while the server waits. */
  async function keepTrying(log: Log, ports: Pick<OpenPorts, 'serve'>) {
    let reported: string | undefined
    const pause = growingPauses(250, 10_000, closing.signal)
    while (!published) {
      try {
        await pause()
        published = await publish()
      } catch (error) {
        if (closing.signal.aborted) return
        const { message } = error as Error
        // An outage is in the log already.
        if (!(error instanceof StorageUnavailableError) && message !== reported) report('error', message)
        reported = message
      }
    }
    await published.serveAt(ports, log)
  }

  async function begin(log: Log, ports: Pick<OpenPorts, 'serve'>) {
    if (published) await published.serveAt(ports, log)
    else trying = keepTrying(log, ports)
  }

  return {
    get registry() {
      if (published) return published.registry
      throw new StorageUnavailableError('the storage has been unreachable since the start', RETRY_AFTER_S)
    },
    get webhook() {
      return published?.webhook
    },
    SNICallback: (name, done) => (published ? published.SNICallback(name, done) : done(null)),
    challenge: (token) => published?.challenge(token),
    async listen(app, address, connectionLimits) {
      ports = await openPorts(
        {
          serve: app.routing,
          onRefused: (request, status) => logRequest(app.log, request, status),
          hstsSeconds,
          unservedText,
          connectionLimits,
          refuse: (error, socket) => app.server.emit('clientError', error, socket),
        },
        address,
      )
      await begin(app.log, ports)
      return ports.address.ports
    },
    start: (log) => begin(log, { serve() {} }),
    async close() {
      closing.abort()
      await trying
      await published?.close()
      await ports?.close()
      await closeStorage()
    },
  }
}
