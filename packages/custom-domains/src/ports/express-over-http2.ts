// Lets Express serve HTTP/2. It replaces the prototypes of requests and responses by its own, which know HTTP/1.1 only;
// members of the objects themselves survive that.
import type { RequestListener } from 'node:http'
import { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { Readable } from 'node:stream'

const { _destroy = {} } = membersOf(Readable.prototype) // that of HTTP/1.1 closes the connection
const requestMembers = { ...membersOf(Http2ServerRequest.prototype), _destroy }
const responseMembers = membersOf(Http2ServerResponse.prototype)

export function withOwnMembers(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.httpVersionMajor === 2) {
      keep(requestMembers, request)
      keep(responseMembers, response)
    }
    listener(request, response)
  }
}

function membersOf(prototype: object): PropertyDescriptorMap {
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(prototype) as PropertyDescriptorMap
  return members
}

function keep(members: PropertyDescriptorMap, target: object) {
  for (const name of Reflect.ownKeys(members)) {
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, members[name as string] as PropertyDescriptor)
  }
}
