// The tables of the domains, beside those of the orders.
import { createTables, missingTables } from 'custom-domains/postgres'
import type { Tables } from '../../store/postgres/migrate.ts'

export const inSchema = { schema: 'store_orders' }

export const domainTables: Tables = {
  create: ({ client }, grant) => createTables(client, { ...inSchema, grant }),
  missing: ({ client }) => missingTables(client, inSchema),
}
