/** True if the client asks for no change (RFC 9110, section 9.2.1). TRACE is not served. */
export function isSafe(method = ''): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
