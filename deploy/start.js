// npm start: builds if a source has changed since the last build, then runs the server in this process.
import process from 'node:process'

// npm signals its shell, and some shells end without passing the signal on. A second signal would end the server at once.
const { ppid, pid, env } = process
const watch = setInterval(() => {
  if (process.ppid === ppid) return
  clearInterval(watch)
  process.kill(pid, 'SIGTERM')
}, 500).unref()
if (env.npm_lifecycle_event !== 'start') clearInterval(watch)

await import('./build.js')
if (!process.exitCode) {
  const { start } = await import('../dist/server.js')
  const started = start() // from now on, it handles signals
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(watch))
  await started
}
