// store-orders domains rehearse: what would happen to the domains if the authority or the target were another one.
import {
  type Expired,
  type Load,
  type Rehearsal,
  rehearse,
  rehearsedDays,
  type Scenario,
  scenarios,
  storedRecords,
} from 'custom-domains/rehearsal'
import { loadRehearsal } from '../../config/environment.ts'
import { counted, type Output } from './commands.ts'

/** The list as text; as JSON, it is whole. */
const MOST_LINES = 20

const titles: Record<Scenario, string> = {
  as_stored: 'If nothing happens',
  authority_away: 'If the authority were away for five days',
  authority_changed: 'If the certificates had to come from another authority',
  all_revoked: 'If the authority revoked every certificate within a day',
  target_renamed: 'If PLATFORM_CNAME_TARGET were renamed, and the former name dropped',
}

/** @throws with a line on why the state cannot be read */
export async function rehearseDomains(
  { json }: { json?: boolean },
  env: NodeJS.ProcessEnv,
  { say }: Pick<Output, 'say'>,
): Promise<void> {
  const { engine, records } = await load(env)
  const now = new Date()
  const { target, authorities } = engine
  const options = { records, authorities, target: [target].flat()[0] as string, now }
  const domains = records.filter(({ kind }) => kind === 'domain').length
  const days = rehearsedDays(options)
  const rehearsals: Rehearsal[] = []
  for (const scenario of scenarios) rehearsals.push(await rehearse(scenario, options))
  if (json) return say([JSON.stringify({ at: now.toISOString(), days, domains, rehearsals })])
  say(
    [
      `${counted(domains, 'domain')} as stored at ${timeOf(now.toISOString())}, over ${days} days. Nothing was sent.`,
      ...rehearsals.flatMap(linesOf),
    ],
    'A record that is wrong now is taken to stay so. "In three hours" and so on: the most orders, of those that are allowed.',
  )
}

async function load(env: NodeJS.ProcessEnv) {
  const { domains, database } = loadRehearsal(env)
  if (!domains)
    throw new Error('custom domains are not configured: set PLATFORM_DOMAIN and the variables of the server')
  const { engine, dataDir, configurationFile, encryptionKeys } = domains
  if (!database || encryptionKeys.length === 0)
    return { engine, records: await storedRecords(dataDir, { configurationFile }) }
  const { postgresDomainStorage } = await import('../postgres/storage.ts')
  const storage = postgresDomainStorage({ ...database, encryptionKeys }, () => {})
  try {
    const { records } = await storage.load()
    return { engine, records }
  } finally {
    await storage.close()
  }
}

function linesOf({ scenario, expired, loads }: Rehearsal): string[] {
  const verb = scenario === 'all_revoked' ? 'would have a certificate that no browser accepts' : 'would expire'
  const summary = expired.length === 0 ? `No domain ${verb}.` : `${counted(expired.length, 'domain')} ${verb}:`
  const left = expired.length - MOST_LINES
  return [
    '',
    `${titles[scenario]}: ${summary}`,
    ...expired.slice(0, MOST_LINES).map(lineOf),
    ...(left > 0 ? [`  and ${left} more, which --json lists`] : []),
    ...loads.map(loadLine),
  ]
}

const lineOf = ({ domain, at, until }: Expired) =>
  `  ${domain}  from ${timeOf(at)}${until === undefined ? '' : ` to ${timeOf(until)}`}`

function loadLine({ authority, ordersADay: { min, median, max }, limits }: Load): string {
  const most = limits.map(({ hours, name, allowed, most }) => {
    const period = hours < 24 ? 'in three hours' : 'in a week'
    return `${most} of ${allowed} ${period}${name === undefined ? '' : ` for ${name}`}`
  })
  return `  ${authority}: ${min} to ${max} orders a day, the median is ${median}; ${most.join(', ')}`
}

const timeOf = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`
