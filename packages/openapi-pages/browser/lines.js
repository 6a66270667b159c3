// Lights the lines of samples and examples that show the field under the pointer, or in the address.

/** The names of the fields that lead to it. @returns {string[]} */
export function pathOf(/** @type {Element | null | undefined} */ field) {
  if (!field) return []
  const name = field.querySelector(':scope > dt')?.textContent?.trim() ?? ''
  return [...pathOf(field.parentElement?.closest('.fields > [id]')), name]
}

export function startLines() {
  /** @type {Element | null | undefined} */
  let current
  /** @type {Element[]} */
  let lit = []
  const light = (/** @type {Element | null | undefined} */ field) => {
    if (field === current) return
    current = field
    for (const line of lit) line.classList.remove('lit')
    lit = field ? linesFor(field) : []
    for (const line of lit) line.classList.add('lit')
  }
  document.addEventListener('pointerover', ({ target }) => {
    const part = target instanceof Element ? target.closest('.fields > [id] > :not(.within)') : undefined
    light(part?.parentElement)
  })
  addEventListener('hashchange', () => light(document.querySelector('.fields > :target')))
}

function linesFor(/** @type {Element} */ field) {
  const location = field.querySelector(':scope > .place')?.textContent ?? ''
  const path = pathOf(field)
  const blocks = [...(field.closest('.operation, .schema')?.querySelectorAll('pre') ?? [])]
  return blocks.flatMap((block) => {
    const lines = [...block.querySelectorAll('.l')]
    return location ? lines.filter((line) => hasParameter(line, location, String(path[0]))) : linesOf(lines, path)
  })
}

function hasParameter(/** @type {Element} */ line, /** @type {string} */ location, /** @type {string} */ name) {
  const text = String(line.textContent)
  if (location === 'query') return [`?${name}=`, `&${name}=`].some((part) => text.includes(part))
  return location === 'path' ? line.querySelector('.server-url') !== null : text.includes(name)
}

/** Those of the name, within lines of the names before it, that are least deep. */
function linesOf(/** @type {Element[]} */ lines, /** @type {string[]} */ path) {
  /** @type {{ depth: number, name: string }[]} */
  const open = []
  const matches = lines.flatMap((line) => {
    const [, indent = '', name] = /^(\s*)["']?([^\s"':]+)["']?(?::|\s=>)/.exec(String(line.textContent)) ?? []
    if (name === undefined) return []
    while (Number(open.at(-1)?.depth) >= indent.length) open.pop()
    open.push({ depth: indent.length, name })
    const isFound = path.every((part, at) => open.at(at - path.length)?.name === part)
    return isFound ? [{ line, depth: open.length }] : []
  })
  const least = Math.min(...matches.map(({ depth }) => depth))
  return matches.filter(({ depth }) => depth === least).map(({ line }) => line)
}
