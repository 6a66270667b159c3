// Checked by tsc: TypeScript allows a store to leave out a parameter of the interface, which the store would then ignore.
import type { storeBuilder } from '../../store/memory/memory-store.ts'
import type { OrderStore } from '../../store/order-store.ts'
import type { postgresOrderStore } from '../../store/postgres/postgres-store.ts'

/** The methods that take fewer parameters than those of the interface. */
type Forgetful<Store, Interface = OrderStore> = {
  [Name in keyof Store & keyof Interface]: CountOf<Store[Name]> extends CountOf<Interface[Name]> ? never : Name
}[keyof Store & keyof Interface]

type CountOf<Method> = Method extends (...args: infer Parameters) => unknown ? Required<Parameters>['length'] : never

type MemoryStore = ReturnType<ReturnType<typeof storeBuilder>['finish']>
void ((name: Forgetful<MemoryStore>): never => name)
void ((name: Forgetful<ReturnType<typeof postgresOrderStore>>): never => name)

interface Filtering {
  list(status?: string): Promise<string[]>
  close(): Promise<void>
  connections?(): number
}
void ((name: Forgetful<Filtering, Filtering>): never => name)
// @ts-expect-error
void ((name: Forgetful<{ list(): Promise<never[]>; close(): Promise<void> }, Filtering>): never => name)
