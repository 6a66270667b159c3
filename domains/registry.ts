// The operations on domains, for the dashboard and the command line.
import { addition } from './registry/add.ts'
import { type Domains, domainsOf, ofUsers } from './registry/domains.ts'
import { primaryChoices } from './registry/primary.ts'
import { removals } from './registry/removals.ts'
import { requests } from './registry/requests.ts'
import type { NotSaved, Overview, Registry, RegistryOptions } from './registry/types.ts'
import { NotSavedError } from './state/domain-state.ts'

export type { Overview, Plan, Platform, Registry, RegistryOptions } from './registry/types.ts'

export function domainRegistry(options: RegistryOptions): Registry {
  const domains = domainsOf(options)
  const { add, pairChoices } = addition(options, domains)
  const { verify, reissue } = requests(options, domains)
  const { setPrimary, setRedirect, removeRedirect } = primaryChoices(options, domains)
  return {
    list: () => overview(options, domains),
    add: saving(add),
    pairChoices,
    verify: saving(verify),
    reissue: saving(reissue),
    ...removals(options, domains),
    setPrimary: saving(setPrimary),
    setRedirect: saving(setRedirect),
    removeRedirect: saving(removeRedirect),
  }
}

function overview({ state, plan }: RegistryOptions, { view, viewPlatform }: Domains): Overview {
  const { domains, primary, accounts } = state.current()
  const unsaved = state.unsaved()
  return {
    plan,
    platform: viewPlatform(),
    ...(primary !== undefined && { primary }),
    ...(unsaved && { unsaved: unsaved.message }),
    accounts: Array.from(accounts, ([authority, url]) => ({ authority, url })),
    domains: ofUsers(domains).map(view),
  }
}

function saving<Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) {
  return (...args: Args): Promise<Result | NotSaved> =>
    operation(...args).catch((error) => {
      if (!(error instanceof NotSavedError)) throw error
      return { refused: 'not_saved', message: `Nothing was changed, because it cannot be saved: ${error.message}.` }
    })
}
