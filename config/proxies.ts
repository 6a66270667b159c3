// Proxies for outgoing requests, from the variables that other programs read as well. Platforms set these for every
// process, so what cannot be used is worth a warning only.
import process from 'node:process'
import type { ProxyEnv } from 'custom-domains/proxy-agent'

/** Node.js knows proxies from 22.21 and 24.5 on. */
const isSupported = process.allowedNodeEnvironmentFlags.has('--use-env-proxy')
const names = ['HTTPS_PROXY', 'HTTP_PROXY'] as const
/** A proxy could not reach these. */
const loopback = 'localhost,127.0.0.1-127.255.255.255,::1,[::1]'

/** Undefined if every request is sent directly. */
export function proxyEnvOf(env: NodeJS.ProcessEnv, canProxy = isSupported): ProxyEnv | undefined {
  const used = names.flatMap((name) => (isUsable(textOf(env, name)) ? [[name, textOf(env, name)]] : []))
  if (!canProxy || used.length === 0) return undefined
  return { ...Object.fromEntries(used), NO_PROXY: [textOf(env, 'NO_PROXY'), loopback].filter(Boolean).join() }
}

/** A warning for each variable that has no effect. Values are not shown: they may contain a password. */
export function proxyWarnings(env: NodeJS.ProcessEnv, canProxy = isSupported): string[] {
  const direct = `has no effect: requests go through proxies from Node.js 22.21 and 24.5 on, and this is ${process.version}`
  const unusable = 'has no effect: it must be the address of a proxy, http://host:port or https://host:port'
  const failed = (value: string) => (canProxy ? !isUsable(value) && unusable : direct)
  const warnings = names.flatMap((name) => {
    const value = textOf(env, name)
    const failure = value && failed(value)
    return failure ? [`${name} ${failure}`] : []
  })
  return textOf(env, 'ALL_PROXY') ? [...warnings, 'ALL_PROXY has no effect: set HTTPS_PROXY instead'] : warnings
}

/** Small letters come first, as in other programs. */
function textOf(env: NodeJS.ProcessEnv, name: string): string {
  return env[name.toLowerCase()] || env[name] || ''
}

/** Whether Node.js takes it. It decodes the name and the password. */
function isUsable(value: string): boolean {
  try {
    return URL.canParse(value) && /^https?:\/\/[!-~]+$/.test(value) && !/[\r\n]/.test(decodeURIComponent(value))
  } catch {
    return false
  }
}
