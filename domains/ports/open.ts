// The ports of the domains, open before there is anything to serve: until then, every request gets 503.
import { emptySnapshot } from '../state/snapshot.ts'
import type { DocsAddress } from './answers-docs.ts'
import { domainListeners, type ListenerOptions } from './listeners.ts'

type Served = Pick<ListenerOptions, 'routing' | 'SNICallback'>

export interface OpenPorts {
  address: DocsAddress
  /** Serves this from now on. */
  serve(served: Served): void
  close(): Promise<void>
}

const nothing: Served = {
  routing: () => ({
    snapshot: emptySnapshot,
    platformHosts: [],
    challenges: new Map(),
    isCurrent: false,
  }),
  SNICallback: (_name, done) => done(null),
}

export async function openPorts(
  options: Omit<ListenerOptions, keyof Served>,
  { host, ports }: DocsAddress,
): Promise<OpenPorts> {
  let current = nothing
  const { listen, close } = domainListeners({
    ...options,
    routing: () => current.routing(),
    SNICallback: (name, done) => current.SNICallback(name, done),
  })
  return {
    address: { host, ports: await listen(host, ports) },
    serve(served) {
      current = served
    },
    close,
  }
}
