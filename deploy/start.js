// npm start: builds if a source has changed since the last build, then runs the server in this process.
import process from 'node:process'

await import('./build.js')
if (!process.exitCode) await (await import('../dist/server.js')).start()
