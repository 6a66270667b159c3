// The page is complete without scripts; these add search, copying, choices that last, and trying operations.
import { addCopyButtons, startCopyPage } from './copy.js'
import { highlight } from './highlight.js'
import { startKey } from './key.js'
import { startNavigation } from './navigation.js'
import { startSearch } from './search.js'
import { startServers } from './servers.js'
import { startTabs } from './tabs.js'
import { startTryIt } from './try-it.js'

startServers()
startTabs()
startNavigation()
startKey()
startSearch()
startTryIt()
addCopyButtons()
startCopyPage()
for (const code of document.querySelectorAll('pre > code')) {
  highlight(code, code.className.replace('language-', ''))
}
