// Notices on the terminal about the keys that were generated for a run. `origin` is where the server listens.

/** The key of the API, a command to try it, and where to read on. */
export function keyNotice(key: string, origin: string): string {
  const command = `curl -H 'Authorization: Bearer ${key}' ${origin}/v1/store/orders`
  return `\nNo API key is configured. This one is valid for this run:\n\n${key}\n\n${command}\n\nIts documentation: ${origin}/docs\n\n`
}

export function dashboardNotice(key: string, origin: string): string {
  return `No key of the dashboard is configured. This one opens ${origin}/dashboard for this run:\n\n${key}\n\n`
}
