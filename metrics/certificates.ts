// How long the certificates of custom domains are valid.
import type { Registry } from 'prom-client'
import { gauge } from './scraped.ts'

export interface CertificateSource {
  list(): { domains: readonly { domain: string; certificate?: { notAfter: string } }[] }
}

export function certificateMetrics(registry: Registry, { list }: CertificateSource): void {
  gauge(registry, {
    name: 'store_orders_certificate_days_left',
    help: 'Days until the certificate of a custom domain expires.',
    labelNames: ['domain'],
    read: () =>
      list().domains.flatMap(({ domain, certificate }) =>
        certificate
          ? [{ labels: { domain }, value: (Date.parse(certificate.notAfter) - Date.now()) / 86_400_000 }]
          : [],
      ),
  })
}
