// Publishes as soon as the storage is reachable; until then, the ports and the registry respond with 503.
import { StoreUnavailableError } from '../../../../store/unavailable.ts'
import { logRequest } from '../maintenance/log.ts'
import type { DocsAddress } from '../ports/is-docs-deployed.ts'
import { type OpenPorts, openPorts } from '../ports/listeners.ts'
import type { Registry } from '../registry/index.ts'
import { growingPauses } from '../time.ts'
import type { DocsServer, Publishing } from './index.ts'

export interface WaitingOptions {
  /** Called again after a pause while it rejects. */
  publish(): Promise<Publishing>
  report(level: 'error', message: string): void
  closeStorage(): Promise<void>
  /** The max-age of Strict-Transport-Security; 0 for none. */
  hstsSeconds: number
}

export interface PublishedDomains {
  /** @throws StoreUnavailableError until the storage is reachable */
  readonly registry: Registry
  /** Undefined until the storage is reachable. */
  readonly webhook: Publishing['webhook']
  /**
   * Opens the ports at a host, '' for all addresses, and starts due attempts.
   * @returns the ports that were opened: for port 0, any free one
   */
  listen(docs: DocsServer, host: string, ports: DocsAddress['ports']): Promise<DocsAddress['ports']>
  close(): Promise<void>
}

const RETRY_AFTER_S = 2

/** @throws the first rejection of `publish`, unless the storage is merely unreachable */
export async function publishWhenReady(options: WaitingOptions): Promise<PublishedDomains> {
  const { publish, report, closeStorage, hstsSeconds } = options
  const closing = new AbortController()
  let ports: OpenPorts | undefined
  let trying: Promise<void> | undefined
  let published = await publish().catch((error): Publishing | undefined => {
    if (error instanceof StoreUnavailableError) return undefined
    throw error
  })

  /** An operator may repair the storage while the server waits. */
  async function keepTrying(docs: DocsServer, ports: OpenPorts) {
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
        if (!(error instanceof StoreUnavailableError) && message !== reported) report('error', message)
        reported = message
      }
    }
    await published.listen(docs, ports)
  }

  return {
    get registry() {
      if (published) return published.registry
      throw new StoreUnavailableError('PostgreSQL has been unreachable since the start', RETRY_AFTER_S, {
        subject: 'domains',
      })
    },
    get webhook() {
      return published?.webhook
    },
    async listen(docs, host, wanted) {
      ports = await openPorts(
        {
          serve: docs.routing,
          onRefused: (request, status) => logRequest(docs.log, request, status),
          hstsSeconds,
          refuse: (error, socket) => docs.server.emit('clientError', error, socket),
        },
        { host, ports: wanted },
      )
      if (published) await published.listen(docs, ports)
      else trying = keepTrying(docs, ports)
      return ports.address.ports
    },
    async close() {
      closing.abort()
      await trying
      await published?.close()
      await ports?.close()
      await closeStorage()
    },
  }
}
