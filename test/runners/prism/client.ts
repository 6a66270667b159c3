// The typed client as users install it, with a proxy between it and the service.
import { isDeepStrictEqual } from 'node:util'
import { project } from '../folders.ts'
import { KEY } from '../server.ts'

export async function useClient(baseUrl: string): Promise<{ steps: number; problems: string[] }> {
  const { createClient } = await import(`${project}packages/client/dist/packages/client/index.js`)
  const client = createClient({ baseUrl, apiKey: KEY })
  const stranger = createClient({ baseUrl, apiKey: 'wrong' })
  const ids = async () => (await client.listOrders()).map(({ id }: { id: bigint }) => id).slice(5, 7)

  const steps: [step: string, run: () => Promise<unknown>, expected: unknown][] = [
    ['lists', ids, [1007n, 1008n]],
    ['lists again, 304', ids, [1007n, 1008n]],
    ['cancels', () => client.cancelOrder(1007n), undefined],
    ['lists without it', ids, [1008n, 1009n]],
    ['cancels again', () => client.cancelOrder(1007n), 'order_already_cancelled'],
    ['cancels what never was', () => client.cancelOrder(1n), 'order_not_found'],
    ['cancels a shipped order', () => client.cancelOrder(1006n), 'order_already_shipped'],
    ['looks up a pet', () => client.getPetById(504n), { id: 504n }],
    ['looks up no pet', () => client.getPetById(1n), 'pet_not_found'],
    ['lists with a wrong key', () => stranger.listOrders(), 'unauthorized'],
  ]
  const problems = []
  for (const [step, run, expected] of steps) {
    const outcome = await run().catch((error: { code?: string }) => error.code ?? error)
    if (!isDeepStrictEqual(outcome, expected)) problems.push(`the client ${step}: ${outcome}`)
  }
  return { steps: steps.length, problems }
}
