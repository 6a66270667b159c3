// Parses Retry-After (RFC 9110, section 10.2.3): seconds or a date.

/** @returns milliseconds, at most `longest`; 0 if the value is empty or invalid */
export function retryAfterMs(value: string, longest: number): number {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Math.min(Math.max(ms, 0), longest) || 0
}
