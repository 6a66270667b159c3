// A view is a new tree of elements on each render; `patch` applies only the differences to the page, so that focus, open
// menus and selections survive.
import { fill, html } from './markup.js'

/**
 * Makes `live` equal to `wanted`, an element of the same name.
 * @param {Element} live
 * @param {Element} wanted
 */
export function patch(live, wanted) {
  for (const { name } of [...live.attributes]) if (!wanted.hasAttribute(name)) live.removeAttribute(name)
  for (const { name, value } of wanted.attributes) {
    if (live.getAttribute(name) !== value) live.setAttribute(name, value)
  }

  let next = live.firstChild
  for (const child of [...wanted.childNodes]) {
    const match = findFrom(next, child)
    if (match) {
      next = removeUntil(next, match)?.nextSibling ?? null
      if (match instanceof Element && child instanceof Element) patch(match, child)
      else if (match.nodeValue !== child.nodeValue) match.nodeValue = child.nodeValue
    } else {
      live.insertBefore(child, next)
    }
  }
  removeUntil(next, null)
}

/**
 * The first node, from `node` on, with the identity of `wanted`. State is in data attributes, so that it is no part of it.
 * @param {ChildNode | null} node
 * @param {ChildNode} wanted
 */
function findFrom(node, wanted) {
  for (let each = node; each; each = each.nextSibling) if (identityOf(each) === identityOf(wanted)) return each
  return null
}

/** @param {Node} node */
function identityOf(node) {
  return node instanceof Element ? `${node.nodeName}#${node.id}.${node.className}` : node.nodeName
}

/** @param {ChildNode | null} node @param {ChildNode | null} end */
function removeUntil(node, end) {
  let each = node
  while (each && each !== end) {
    const { nextSibling } = each
    each.remove()
    each = nextSibling
  }
  return each
}

/** An element of index.html. @param {string} id */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

/** Announces a text to screen readers, politely. @param {string} text */
export function announce(text) {
  fill(byId('announcer'), html`<p>${text}</p>`)
}

/**
 * Copies the text of an element. Resolves with false where the browser forbids it (over plain HTTP): then it is selected.
 * @param {Element} element
 */
export async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(element)
    return false
  }
}
