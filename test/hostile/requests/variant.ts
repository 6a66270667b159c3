// Cancellations that differ from a valid one in what is given.
import type { Exchange, Expected, Source } from '../types.ts'
import { cancel } from './calls.ts'
import { authorization, latin1, requestId } from './message.ts'

export interface Variant {
  /** METHOD and TARGET are placeholders. */
  line?: string
  method?: string
  target?: string
  hosts?: readonly string[]
  isAnonymous?: boolean
  /** In addition to the usual ones, as lines. */
  fields?: string
  body?: string
  statuses: readonly number[]
  closes: Expected['closes']
}

export function variantOf(source: Source, variant: Variant): Exchange {
  const { line = 'METHOD TARGET HTTP/1.1', hosts = [source.world.host], fields = '', body = '' } = variant
  const { order, ...usual } = cancel(source)
  const { method = usual.method, target = usual.target, statuses, closes } = variant
  const id = requestId(source.random)
  const lines = [
    ...hosts.map((host) => ['Host', host]),
    id,
    ...(variant.isAnonymous ? [] : [authorization(source.world)]),
  ]
  const first = line.replace('METHOD', method).replace('TARGET', target)
  const head = [first, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  const isCancel = target === usual.target
  return {
    name: JSON.stringify(variant).slice(0, 200),
    bytes: latin1(`${head}\r\n${fields}\r\n${body}`),
    response: { method, statuses, closes, id: id[1], order: isCancel ? order : undefined },
  }
}
