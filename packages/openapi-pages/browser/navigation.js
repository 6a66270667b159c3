// Shows the part that an address names, and marks the current section in the contents; on a phone, the bar names it.
// Scrolling and history are the browser's.

const contents = /** @type {HTMLElement} */ (document.querySelector('.contents'))
const currentName = /** @type {HTMLElement} */ (document.querySelector('.bar .place'))
const links = /** @type {HTMLAnchorElement[]} */ ([...contents.querySelectorAll('a')])

/** A section is current when it covers this line, in pixels from the top. */
const readingLine = 120

export function startNavigation() {
  addEventListener('hashchange', reveal)
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
  })
  reveal()
  const sections = links.map((link) => document.getElementById(link.getAttribute('href')?.replace(/^#/, '') ?? ''))
  /** @type {IntersectionObserver | undefined} */
  let observer
  const observe = () => {
    observer?.disconnect()
    // Two pixels around the line: mark() must agree with its lower edge, for it is called only when that is crossed.
    const rootMargin = `${1 - readingLine}px 0px ${readingLine + 1 - innerHeight}px 0px`
    observer = new IntersectionObserver(() => mark(sections), { rootMargin })
    for (const section of sections) if (section) observer.observe(section)
  }
  addEventListener('resize', observe)
  observe()
}

/** Of a large reference, another page may have the part. */
function reveal() {
  const elsewhere = links.find(({ hash, pathname }) => hash === location.hash && pathname !== location.pathname)
  if (location.hash && !document.querySelector(':target') && elsewhere) return location.replace(elsewhere.href)
  const target = document.querySelector(':target')
  for (let part = target; part; part = part.parentElement) if (part instanceof HTMLDetailsElement) part.open = true
  if (target?.closest('details')) target.scrollIntoView()
}

function mark(/** @type {(Element | null)[]} */ sections) {
  const current = sections.findLastIndex((section) => section && section.getBoundingClientRect().top <= readingLine + 1)
  currentName.replaceChildren(...(links[current]?.cloneNode(true).childNodes ?? []))
  for (const [i, link] of links.entries()) {
    if (i === current) link.setAttribute('aria-current', 'location')
    else link.removeAttribute('aria-current')
  }
}
