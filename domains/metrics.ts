// Metrics of custom domains: how long certificates, the platform's own included, remain valid, and webhook delivery.
import type { Metrics, Sample } from '../telemetry/index.ts'

interface Certified {
  domain: string
  certificate?: { notAfter: string }
}

export interface CertificateSource {
  list(): { platform: Certified; domains: readonly Certified[] }
}

export function certificateMetrics({ gauge }: Metrics, { list }: CertificateSource): void {
  gauge({
    name: 'store_orders_certificate_days_left',
    help: 'Days until the certificate of a custom domain, or of the platform domain, expires.',
    read() {
      const { platform, domains } = list()
      return [platform, ...domains].flatMap(({ domain, certificate }) =>
        certificate
          ? [{ labels: { domain }, value: (Date.parse(certificate.notAfter) - Date.now()) / 86_400_000 }]
          : [],
      )
    },
  })
}

export interface WebhookSource {
  /** Messages that are not delivered yet. */
  waiting(): number
  counts(): Readonly<Record<string, number>>
}

/** Without samples while there is no source. */
export function webhookMetrics({ counter, gauge }: Metrics, sourceNow: () => WebhookSource | undefined): void {
  const samples = (read: (source: WebhookSource) => Sample[]) => () => {
    const source = sourceNow()
    return source ? read(source) : []
  }
  counter({
    name: 'store_orders_webhook_deliveries_total',
    help: 'Messages delivered to the webhook, attempts that failed, and messages dropped.',
    read: samples(({ counts }) => Object.entries(counts()).map(([outcome, value]) => ({ labels: { outcome }, value }))),
  })
  gauge({
    name: 'store_orders_webhook_waiting',
    help: 'Messages for the webhook that are not delivered yet.',
    read: samples(({ waiting }) => [{ value: waiting() }]),
  })
}
