// Prints the seconds for a minimal loader: JSON.parse of each line, discarding the result.
import { readFileSync } from 'node:fs'
import process from 'node:process'

const begin = performance.now()
const text = readFileSync(String(process.argv[2]), 'utf8')
for (let start = 0, end = 0; start < text.length; start = end + 1) {
  end = text.indexOf('\n', start)
  JSON.parse(text.slice(start, end))
}
console.log((performance.now() - begin) / 1000)
