// Sends the traffic through a proxy and collects the proxy's reports.

/**
 * @typedef {object} Answer
 * @property {import('./traffic.js').Exchange} exchange
 * @property {number} status
 * @property {string} body
 * @property {{ request: boolean, response: boolean }} violates the document, by what the proxy reports
 * @property {string} report
 */

/**
 * Sequential, since a cancellation affects later responses.
 * @param {string} origin @param {import('./traffic.js').Exchange[]} exchanges
 * @returns {Promise<Answer[]>}
 */
export async function send(origin, exchanges) {
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

/** Prism's `sl-violations` header: JSON, cut when it is long. @param {string} report */
function violationsIn(report) {
  return { request: report.includes('"location":["request"'), response: report.includes('"location":["response"') }
}
