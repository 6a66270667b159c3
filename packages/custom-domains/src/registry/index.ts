// The operations on domains, for the application and its commands.
import { DomainError } from '../domain-error.ts'
import { hostOf } from '../domain-name.ts'
import { NotSavedError } from '../state/domain-state.ts'
import type { Snapshot } from '../state/snapshot.ts'
import { addition } from './add.ts'
import { usersDomains } from './domains.ts'
import { overview } from './list.ts'
import { operationsOn } from './operations.ts'
import type { Registry, RegistryOptions } from './types.ts'
import { updateOf } from './update.ts'

export type {
  AddOptions,
  Allow,
  ListQuery,
  Overview,
  Pair,
  Platform,
  Registry,
  RegistryOptions,
  Rewound,
  Update,
} from './types.ts'

export function domainRegistry(options: RegistryOptions): Registry {
  const domains = usersDomains(options)
  const { state } = options
  const { add, pairOf } = addition(options, domains)
  const { verify, reissue, remove, revoke, redirect } = operationsOn(options, domains)

  /** Another instance may just have added the domain. */
  function finding<Args extends unknown[], Result>(operation: (host: string, ...args: Args) => Promise<Result>) {
    return async (typed: string, ...args: Args): Promise<Result> => {
      const host = hostOf(typed)
      if (!domains.has(host)) await state.refresh()
      return operation(host, ...args)
    }
  }

  return {
    list: (query = {}) => overview(options, domains, query),
    find(typed) {
      const domain = domains.get(hostOf(typed))
      return domain && domains.view(domain)
    },
    certificates: () => certificatesOf(state.current()),
    damaged: state.damaged,
    add: saving(add),
    pairOf,
    roleOf: (role) => state.current().roles.get(role),
    update: saving(async (change) => {
      await state.refresh()
      await state.commit((draft) => change(updateOf(draft)))
    }),
    verify: finding(saving(verify)),
    reissue: finding(saving(reissue)),
    remove: finding(remove),
    revoke: finding(revoke),
    redirect: finding(saving(redirect)),
  }
}

function certificatesOf({ domains }: Snapshot) {
  return [...domains.values()]
    .flatMap(({ name, certificate }) => (certificate ? [{ domain: name.host, notAfter: certificate.notAfter }] : []))
    .sort((a, b) => Date.parse(a.notAfter) - Date.parse(b.notAfter))
}

function saving<Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) {
  return (...args: Args): Promise<Result> =>
    operation(...args).catch((error) => {
      if (!(error instanceof NotSavedError)) throw error
      throw new DomainError('not_saved', `Nothing was changed, because it cannot be saved: ${error.message}.`)
    })
}
