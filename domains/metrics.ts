// Metrics of custom domains: how long their certificates are valid, damaged records, and the messages for the webhook.
import type { CustomDomains } from 'custom-domains'
import type { Metrics } from '../telemetry/index.ts'

/** There are no samples of the webhook until one is configured. */
type DomainsSource = Pick<CustomDomains, 'certificates' | 'damaged'> & Partial<Pick<CustomDomains, 'webhook'>>

/** If there are more domains, only the certificates that expire next have a series. */
const MAX_SERIES = 1_000

/** Adds the metrics to those of the process. */
export function registerDomainMetrics({ counter, gauge }: Pick<Metrics, 'counter' | 'gauge'>, source: DomainsSource) {
  gauge(
    'store_orders_certificate_days_left',
    'Days until the certificate of a custom domain, or of the platform domain, expires: those that expire next.',
    () =>
      source
        .certificates()
        .slice(0, MAX_SERIES)
        .map(({ domain, notAfter }) => ({
          labels: { domain },
          value: (Date.parse(notAfter) - Date.now()) / 86_400_000,
        })),
  )
  gauge(
    'store_orders_domain_records_damaged',
    'Stored records of custom domains that cannot be read.',
    () => source.damaged().length,
  )
  counter(
    'store_orders_webhook_deliveries_total',
    'Messages delivered to the webhook, failed attempts, and messages dropped.',
    () => Object.entries(source.webhook?.counts() ?? {}).map(([outcome, value]) => ({ labels: { outcome }, value })),
  )
  gauge(
    'store_orders_webhook_waiting',
    'Messages for the webhook that are not delivered yet.',
    () => source.webhook?.waiting() ?? [],
  )
}
