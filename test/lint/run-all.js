// Runs commands two at a time. (npm-run-all2 and concurrently need Node.js 22.)
import { exec } from 'node:child_process'

/**
 * @param {readonly string[]} commands of a shell
 * @param {(text: string) => void} print gets a line for each that passes, and the whole output of each that fails
 * @returns {Promise<boolean>} whether all passed
 */
export async function runAll(commands, print) {
  const waiting = commands.values()
  let isPassed = true
  const runWaiting = async () => {
    for (const command of waiting) {
      const start = performance.now()
      const { isFailed, output } = await run(command)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      print(isFailed ? `FAILED (${seconds} s): ${command}\n${output}` : `passed (${seconds} s): ${command}`)
      if (isFailed) isPassed = false
    }
  }
  await Promise.all([runWaiting(), runWaiting()])
  return isPassed
}

/** @param {string} command @returns {Promise<{ isFailed: boolean, output: string }>} */
function run(command) {
  return new Promise((resolve) => {
    exec(command, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      resolve({ isFailed: error !== null, output: stdout + stderr })
    })
  })
}
