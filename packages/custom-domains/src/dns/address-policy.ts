// A guard against SSRF: the owner of a domain chooses its name servers, so only public addresses are queried.
import ipaddr from 'ipaddr.js'

export interface Server {
  address: string
  port: number
}

/** Where to query the name server with this address; undefined if that is not allowed. */
export type AddressPolicy = (address: string) => Server | undefined

const PORT = 53

/** Addresses that are routed on the Internet: neither loopback, private, link-local nor any other special range. */
export const publicOnly: AddressPolicy = (address) =>
  ipaddr.process(address).range() === 'unicast' ? { address, port: PORT } : undefined
