// Addresses: links of earlier versions, tabs that an address names, and the section that the contents mark as current.
// Moving around is the browser's: each link is one entry of the history.

const contents = /** @type {HTMLElement} */ (document.querySelector('.contents'))
const links = /** @type {HTMLAnchorElement[]} */ ([...contents.querySelectorAll('a')])

export function startNavigation() {
  addEventListener('hashchange', reveal)
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
  })
  reveal()
  const sections = links.map(({ hash }) => document.querySelector(`[id="${CSS.escape(hash.slice(1))}"]`))
  const observer = new IntersectionObserver(() => mark(sections), { rootMargin: '-96px 0px -60% 0px' })
  for (const section of sections) if (section) observer.observe(section)
}

/** Shows what the fragment names: it may be in a tab that is not selected. */
function reveal() {
  const [, old] = /^#\/[^/]+\/([^/]+)$/.exec(location.hash) ?? []
  if (old) history.replaceState(null, '', `#${old}`)
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const panel = target?.closest('.tab-panel')
  const input = panel?.previousElementSibling?.previousElementSibling
  const isHidden = input instanceof HTMLInputElement && !input.checked
  if (isHidden) input.checked = true
  if (isHidden || old) target?.scrollIntoView()
}

/** The last section that begins above the line that readers read at. */
function mark(/** @type {(Element | null)[]} */ sections) {
  const line = 120
  const current = sections.findLastIndex((section) => section && section.getBoundingClientRect().top <= line)
  for (const [i, link] of links.entries()) {
    if (i === current) link.setAttribute('aria-current', 'location')
    else link.removeAttribute('aria-current')
  }
}
