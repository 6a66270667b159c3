// Metrics of custom domains: how long their certificates are valid, and the messages for the webhook.
import type { Sample, Telemetry } from '../telemetry/index.ts'

interface Certified {
  domain: string
  certificate?: { notAfter: string }
}

export interface DomainsSource {
  registry: { list(): { platform: Certified; domains: readonly Certified[] } }
  /** Undefined until a webhook is configured: there are no samples then. */
  webhook?: { waiting(): number; counts(): Readonly<Record<string, number>> } | undefined
}

/** Adds the metrics to those of the process. */
export function registerDomainMetrics(
  { counter, gauge }: Pick<Telemetry, 'counter' | 'gauge'>,
  source: DomainsSource,
): void {
  gauge({
    name: 'store_orders_certificate_days_left',
    help: 'Days until the certificate of a custom domain, or of the platform domain, expires.',
    read() {
      const { platform, domains } = source.registry.list()
      return [platform, ...domains].flatMap(({ domain, certificate }) =>
        certificate
          ? [{ labels: { domain }, value: (Date.parse(certificate.notAfter) - Date.now()) / 86_400_000 }]
          : [],
      )
    },
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
