// Metrics of custom domains: how long their certificates are valid, damaged records, and the messages for the webhook.
import type { Sample, Telemetry } from '../telemetry/index.ts'

interface DomainsSource {
  registry: {
    /** Those that expire next come first. */
    certificates(): readonly { domain: string; notAfter: string }[]
    damaged(): readonly unknown[]
  }
  /** Undefined until a webhook is configured: there are no samples then. */
  webhook?: { waiting(): number; counts(): Readonly<Record<string, number>> } | undefined
}

/** Of many domains, the certificates that expire next have a series. */
const MAX_SERIES = 1_000

/** Adds the metrics to those of the process. */
export function registerDomainMetrics(
  { counter, gauge }: Pick<Telemetry, 'counter' | 'gauge'>,
  source: DomainsSource,
): void {
  gauge({
    name: 'store_orders_certificate_days_left',
    help: 'Days until the certificate of a custom domain, or of the platform domain, expires: those that expire next.',
    read: () =>
      source.registry
        .certificates()
        .slice(0, MAX_SERIES)
        .map(({ domain, notAfter }) => ({
          labels: { domain },
          value: (Date.parse(notAfter) - Date.now()) / 86_400_000,
        })),
  })
  gauge({
    name: 'store_orders_domain_records_damaged',
    help: 'Stored records of custom domains that cannot be read.',
    read: () => [{ value: source.registry.damaged().length }],
  })
  counter({
    name: 'store_orders_webhook_deliveries_total',
    help: 'Messages delivered to the webhook, failed attempts, and messages dropped.',
    read: () =>
      Object.entries(source.webhook?.counts() ?? {}).map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
  gauge({
    name: 'store_orders_webhook_waiting',
    help: 'Messages for the webhook that are not delivered yet.',
    read: (): Sample[] => (source.webhook ? [{ value: source.webhook.waiting() }] : []),
  })
}
