// The fields of dialogs that depend on the list.
import { byId, h } from './dom.js'

/** @typedef {import('./api.js').Domains} Domains */

/** Selects the status of the redirect that is set. @param {HTMLFormElement} form @param {number} [status] */
export function selectStatus(form, status = 301) {
  const choice = /** @type {HTMLInputElement} */ (form.querySelector(`[name=status][value="${status}"]`))
  choice.checked = true
}

/**
 * Says what the removal of the primary domain ends, and offers the others as the next one, live ones first.
 * @param {Domains} list
 * @param {string} host The domain to be removed.
 */
export function offerPrimary({ domains, primary }, host) {
  const others = domains.filter(({ domain }) => domain !== host)
  const redirects = others.filter(({ redirect }) => redirect !== undefined).length
  byId('next-primary').hidden = primary !== host || others.length === 0
  byId('lost-redirects').textContent =
    redirects === 0 ? '' : ` ${redirects === 1 ? '1 domain redirects' : `${redirects} domains redirect`} to it.`
  const live = others.filter(({ state }) => state === 'live')
  const options = primary === host ? [...live, ...others.filter((domain) => !live.includes(domain))] : []
  byId('next').replaceChildren(
    ...options.map(({ domain, displayName, state }) =>
      h('option', { value: domain }, state === 'live' ? displayName : `${displayName} (not live yet)`),
    ),
    h('option', { value: '' }, 'None: redirects end'),
  )
}
