// npm start: builds if a source has changed since the last build, then runs the server in this process.
import process from 'node:process'

// npm signals its shell, and some shells end without passing the signal on.
const { ppid, pid, env } = process
const stopIfOrphaned = () => process.ppid === ppid || process.kill(pid, 'SIGTERM')
if (env.npm_lifecycle_event === 'start') setInterval(stopIfOrphaned, 500).unref()

await import('./build.js')
if (!process.exitCode) await (await import('../dist/server.js')).start()
