// Which name servers may be asked. Whoever owns a domain chooses their addresses: none of a private network is among them.
import ipaddr from 'ipaddr.js'
import type { Server } from './exchange.ts'

/** Where the name server with an address is asked; undefined if it is not. */
export type Reach = (address: string) => Server | undefined

const PORT = 53

/** Only what is routed on the public Internet: neither loopback, private, link-local nor any other special range. */
export const reachPublic: Reach = (address) =>
  ipaddr.process(address).range() === 'unicast' ? { address, port: PORT } : undefined
