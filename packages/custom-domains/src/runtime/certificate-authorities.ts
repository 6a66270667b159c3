// The authorities that certificates are ordered from, each with its issuer, its limits and the account there.
import type { AcmeOptions } from '../acme/issuer.ts'
import type { Issuer } from '../certificates/issuer.ts'
import { authorityNamed, type CertificateAuthority } from '../maintenance/certificate-authority.ts'
import type { Log } from '../maintenance/log.ts'
import { orderLimiter } from '../maintenance/order-limiter.ts'
import type { ProxyEnv } from '../outgoing.ts'
import { type DomainState, ofStorage } from '../state/domain-state.ts'
import type { DomainStorage } from '../state/storage.ts'
import type { Clock } from '../time.ts'

export interface ConfiguredAuthority
  extends Pick<AcmeOptions, 'directoryUrl' | 'email' | 'profile' | 'externalAccount'> {
  /** How many orders it accepts in three hours. Default: 300, as Let's Encrypt does. */
  orderLimit?: number | undefined
}

/** The authorities, at least one, in the order in which they are tried. */
export type ConfiguredAuthorities = readonly [ConfiguredAuthority, ...ConfiguredAuthority[]]

export interface AuthorityContext {
  storage: Pick<DomainStorage, 'loadSecret' | 'replaceSecret'>
  state: DomainState
  challenges: AcmeOptions['challenges']
  issuerAt(options: AcmeOptions): Issuer
  userAgent?: string | undefined
  proxyEnv?: ProxyEnv | undefined
  clock: Clock
  /** Undefined until there is a log. */
  log(): Log | undefined
}

export function certificateAuthorities([first, ...fallbacks]: ConfiguredAuthorities, context: AuthorityContext) {
  const { storage, state, challenges, issuerAt, userAgent, proxyEnv, clock, log } = context
  const common = { userAgent, proxyEnv, challenges, clock }
  const accountKey: AcmeOptions['accountKey'] = {
    load: (directoryUrl) => ofStorage(storage.loadSecret('account', directoryUrl)),
    replace: (directoryUrl, former, pem) => ofStorage(storage.replaceSecret('account', directoryUrl, former, pem)),
  }

  /** An authority may lose an account, or deactivate it: then the next session registers another one. */
  async function recordAccount(authority: string, account: string) {
    if (state.current().accounts.get(authority) === account) return
    let former: string | undefined
    await state.apply(({ accounts }) => {
      former = accounts.get(authority)
      accounts.set(authority, account)
    })
    if (former === account) return // another session has recorded it in the meantime
    const details = { authority, account, ...(former !== undefined && { former }) }
    if (former === undefined) log()?.info(details, 'an account has been registered at the authority')
    else log()?.warn(details, 'the authority no longer accepts the former account: another one has been registered')
  }

  function authorityOf({ orderLimit, ...options }: ConfiguredAuthority): CertificateAuthority {
    const { directoryUrl } = options
    const onAccount = (account: string) => recordAccount(directoryUrl, account)
    return {
      issuer: issuerAt({ ...options, ...common, accountKey, onAccount }),
      limiter: orderLimiter(directoryUrl, state, clock, orderLimit),
      account: () => state.current().accounts.get(directoryUrl),
    }
  }

  const authorities = [authorityOf(first), ...fallbacks.map(authorityOf)] as const

  /** Finds a former authority as well, which revokes the certificates that it has issued. */
  function issuerOf(directoryUrl = first.directoryUrl): Issuer {
    const present = authorityNamed(authorities, directoryUrl)
    return present?.issuer ?? issuerAt({ email: first.email, directoryUrl, ...common, accountKey })
  }

  return { authorities, issuerOf }
}
