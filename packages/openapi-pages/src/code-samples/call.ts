// What samples and the form need of an operation to call it.
import type { Model, Operation } from 'exact-openapi/model'
import type { Callable } from '#browser/request.js'
import { credentialsOf } from '../credentials.ts'
import { ofInfo } from '../extensions.ts'

export function callableOf(model: Model, operation: Operation): Callable {
  const { id, method, path, parameters, responses } = operation
  return {
    id,
    method,
    path,
    parameters,
    credentials: credentialsOf(model, operation),
    client: ofInfo(model.info)['x-client'],
    hasResult: responses.some(({ status, media }) => status.startsWith('2') && media.length > 0),
  }
}
