// Sends the traffic through a proxy and collects the proxy's reports.
import type { Exchange } from './traffic.ts'

export interface Answer {
  exchange: Exchange
  status: number
  body: string
  /** Whether it violates the document, by what the proxy reports. */
  violates: { request: boolean; response: boolean }
  report: string
}

/** Sequential, since a cancellation affects later responses. */
export async function send(origin: string, exchanges: Exchange[]): Promise<Answer[]> {
  const answers = []
  for (const exchange of exchanges) {
    const { method, path, headers, body: sent = null } = exchange
    const answer = await fetch(`${origin}${path}`, { method, headers, body: sent })
    const report = answer.headers.get('sl-violations') ?? ''
    const body = await answer.text()
    answers.push({ exchange, status: answer.status, body, violates: violationsIn(report), report })
  }
  return answers
}

/** Prism's `sl-violations` header: JSON, cut when it is long. */
function violationsIn(report: string) {
  return { request: report.includes('"location":["request"'), response: report.includes('"location":["response"') }
}
