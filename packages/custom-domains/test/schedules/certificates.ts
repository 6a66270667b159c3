// The keys and certificates of all schedules, made when a schedule first needs them: that takes longer than the schedule.
import { certificateAuthority } from 'test-kit/certificate'
import { createKey } from '../../src/acme/account-keys.ts'
import { signingRequest } from '../../src/acme/csr.ts'
import type { OrderKeys } from '../../src/acme/issuer.ts'
import { HOUR } from '../fixtures/clock.ts'

const keys: { pem: string; requests: Map<string, Buffer> }[] = []
const sign = await certificateAuthority()
/** By signing request, life and time. */
const chains = new Map<string, Promise<string>>()

export function chainFor(request: Buffer, host: string, now: Date, life: number): Promise<string> {
  const begin = Math.floor(now.getTime() / (life / 90)) * (life / 90)
  const id = `${request.toString('base64url')} ${life} ${begin}`
  const [notBefore, notAfter] = [new Date(begin - HOUR), new Date(begin + life)]
  const dates = { notBefore, notAfter, authorityKey: 'ab'.repeat(20) }
  const known = chains.get(id) ?? sign(request, host, dates)
  chains.set(id, known)
  return known
}

/** For one schedule, which uses each key once. */
export function orderKeys(): OrderKeys {
  let next = 0
  return {
    create() {
      const index = next++
      keys[index] ??= { pem: createKey(), requests: new Map() }
      return keys[index].pem
    },
    request(host, key) {
      const { requests } = keys.find(({ pem }) => pem === key) as (typeof keys)[number]
      const known = requests.get(host) ?? signingRequest(host, key)
      requests.set(host, known)
      return known
    },
  }
}
