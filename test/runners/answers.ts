// The responses that the testers trigger: for each operation and status, the first request that a tester can send.
import { loadDocument } from '../../spec/document.ts'
import { requestsOf } from '../document-walk/requests.ts'
import { KEY } from './server.ts'

export const authorized = { Authorization: `Bearer ${KEY}` }

const first = new Map(
  requestsOf(loadDocument())
    .toReversed()
    .map((one) => [`${one.operationId} ${one.status}`, one]),
)

export const answers = [...first.values()]
  .filter(({ whySkipped }) => !whySkipped)
  .toReversed()
  .map((request) => ({ ...request, headers: { ...authorized, ...request.headers }, status: Number(request.status) }))
