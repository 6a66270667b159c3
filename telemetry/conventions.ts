// OpenTelemetry's semantic conventions for HTTP that metrics and traces share.

interface RouteConfig {
  url?: string | undefined
  template?: string | undefined
}

/** `http.route`. */
export const routeOf = ({ template, url = '' }: RouteConfig): string => template ?? url.replace(/:(\w+)/g, '{$1}')

/** RFC 9110 and RFC 5789. */
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

export function methodOf(method: string): string {
  return known.has(method) ? method : '_OTHER'
}
