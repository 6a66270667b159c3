// A server of others, which a test runs until it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { until } from './until.ts'

/** @param isReady polled @throws with what the command wrote to stderr if it exits before it is ready */
export async function startDaemon(
  t: Test,
  command: readonly [string, ...string[]],
  { isReady, ...options }: { cwd: string; env?: Record<string, string>; isReady: () => boolean | Promise<boolean> },
): Promise<void> {
  const [name, ...args] = command
  const daemon = spawn(name, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  daemon.stderr.setEncoding('utf8').on('data', (data) => {
    stderr += data
  })
  let failure: Error | undefined
  const ended = once(daemon, 'close').then(
    ([code]) => {
      failure = new Error(`${name} exited with ${code}: ${stderr}`)
    },
    (error) => {
      failure = error // it is not installed
    },
  )
  t.teardown(async () => {
    daemon.kill()
    await ended
  })
  await until(() => failure !== undefined || isReady())
  if (failure) throw failure
}
