// The page is complete without scripts; these add search, copying, lasting choices and trying operations.
import { startAccess } from './access.js'
import { startCopying } from './copy.js'
import { startLines } from './lines.js'
import { startNavigation } from './navigation.js'
import { startTabs } from './samples.js'
import { startSearch } from './search.js'
import { startSteps } from './steps.js'
import { startTryIt } from './try-it.js'

for (const start of [
  startAccess,
  startTabs,
  startNavigation,
  startCopying,
  startSearch,
  startTryIt,
  startSteps,
  startLines,
]) {
  try {
    start()
  } catch (error) {
    reportError(error) // the others start all the same
  }
}
