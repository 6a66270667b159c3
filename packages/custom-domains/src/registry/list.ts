// The list of domains: searched, sorted, and a page of it rendered.
import { displayName } from '../dns/name.ts'
import { endOf } from '../maintenance/schedule.ts'
import type { Domain } from '../state/domain.ts'
import { type Domains, ofUsers } from './domains.ts'
import type { ListQuery, Overview, RegistryOptions } from './types.ts'

/** How long lost changes are reported. */
const REPORTED_MS = 24 * 3_600_000

export function overview(
  { state, rewound, clock }: Pick<RegistryOptions, 'state' | 'rewound' | 'clock'>,
  { view, viewPlatform }: Pick<Domains, 'view' | 'viewPlatform'>,
  { owner, search = '', sort = 'added', offset = 0, limit = Number.POSITIVE_INFINITY }: ListQuery,
): Overview {
  const { domains, accounts } = state.current()
  const unsaved = state.unsaved()
  const lost = rewound()
  const isRecent = endOf(lost?.at, REPORTED_MS, clock.now()) > clock.now().getTime()
  const all = ofUsers(domains).filter((domain) => owner === undefined || domain.owner === owner)
  const matching = search.trim() === '' ? all : all.filter(contains(search.trim().toLowerCase()))
  const sorted = sort === 'added' ? matching : matching.sort((a, b) => rankOf(a) - rankOf(b))
  return {
    platform: viewPlatform(),
    ...(unsaved && { unsaved: unsaved.message }),
    ...(lost && isRecent && { rewound: lost }),
    accounts: Array.from(accounts, ([authority, url]) => ({ authority, url })),
    total: all.length,
    count: matching.length,
    domains: sorted.slice(offset, offset + limit).map(view),
  }
}

const contains =
  (text: string) =>
  ({ name: { host } }: Domain): boolean =>
    host.includes(text) || (host.includes('xn--') && displayName(host).includes(text))

/** Domains that need attention come first. */
function rankOf({ state, problem }: Domain): number {
  if (state === 'failed') return 0
  if (problem) return 1
  return state === 'live' ? 3 : 2
}
