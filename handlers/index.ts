// The table from operationId to handler.
import { cancelOrder } from './cancelOrder.ts'
import { getPetById } from './getPetById.ts'
import { listOrders } from './listOrders.ts'
import type { Handlers } from './types.ts'

export type { Services } from './types.ts'

export const handlers: Handlers = { listOrders, cancelOrder, getPetById }
