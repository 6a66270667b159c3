// How long the certificates of custom domains, and of the platform's own, are valid.
import type { Metrics } from '../../telemetry/index.ts'

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
