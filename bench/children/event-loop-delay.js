// Preloaded into a server: writes the longest delay of its event loop to a file, in ms. Removing the file resets it.
import { existsSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'

const WRITE_EVERY_MS = 100

const file = String(process.env.DELAY_FILE)
const histogram = monitorEventLoopDelay({ resolution: 5 })
histogram.enable()
setInterval(() => {
  if (!existsSync(file)) histogram.reset()
  writeFileSync(file, String(histogram.max / 1e6))
}, WRITE_EVERY_MS).unref()
