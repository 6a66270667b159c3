// The contents beside the page: links to the sections of the description and to every operation.

const contents = /** @type {HTMLDetailsElement} */ (document.querySelector('.contents details'))
const list = /** @type {HTMLElement} */ (contents.querySelector('div'))
const wide = matchMedia('(min-width: 861px)')

/** Fills the contents once rendered, and opens the operation in the URL's fragment. */
export function showContents(ui) {
  const sections = [...document.querySelectorAll('.info h2')].map((heading) => {
    heading.id = slug(heading.textContent)
    return link(`#${heading.id}`, heading.textContent)
  })
  const tags = [...ui.specSelectors.taggedOperations().entries()].map(([tag, details]) => [
    tag,
    details
      .get('operations')
      .toJS()
      .map(({ operation }) => link(`#/${tag}/${operation.operationId}`, operation.summary)),
  ])
  list.replaceChildren(group('Guide', sections), ...tags.map(([tag, links]) => group(tag, links)))

  contents.open = wide.matches
  wide.addEventListener('change', () => {
    contents.open = wide.matches
  })
  const follow = () => {
    if (location.hash.startsWith('#/')) ui.layoutActions.parseDeepLinkHash(location.hash)
    else document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }
  addEventListener('hashchange', follow)
  list.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && target.hash === location.hash) follow() // no hashchange then
  })
  follow()
}

function group(title, links) {
  const heading = document.createElement('h2')
  heading.textContent = title
  const items = document.createElement('ul')
  for (const each of links) {
    const item = document.createElement('li')
    item.append(each)
    items.append(item)
  }
  const section = document.createElement('section')
  section.append(heading, items)
  return section
}

function link(hash, text) {
  return Object.assign(document.createElement('a'), { href: hash, textContent: text })
}

function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
