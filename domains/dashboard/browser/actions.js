// The actions of the buttons, by the name in their `data-action`.
import { ApiError, MOST, PAGE } from './api.js'
import { ask, offerPrimary, offerStatuses } from './dialogs.js'
import { announce, byId, copy } from './dom.js'
import { offerPair } from './pair-offer.js'
import { leaderOf, partnerOf } from './state.js'

/** @import { Api } from './api.js' */
/** @import { State } from './state.js' */

/**
 * @typedef {object} Context
 * @property {Api} api
 * @property {State} state
 * @property {() => void} render
 * @property {() => Promise<void>} refresh Reloads the list and renders it.
 */

/** @param {Context} context @returns {Record<string, (host: string, button: HTMLElement) => unknown>} */
export function createActions({ api, state, render, refresh }) {
  /**
   * Runs an operation on a domain; an error is shown on its card.
   * @param {string} host
   * @param {() => Promise<unknown>} operation
   */
  async function run(host, operation) {
    state.errors.delete(host)
    state.notice = ''
    try {
      await operation()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 404) state.notice = `${find(host)?.displayName ?? host}: ${error.message}`
      state.errors.set(host, error.message)
      state.opened.set(host, true)
      announce(error.message)
    }
    await refresh()
  }

  /** @param {string} host */
  const find = (host) => state.list.domains.find(({ domain }) => domain === host)

  /** The texts that dialogs show for a domain. @param {string} host */
  function textsOf(host) {
    const { displayName, record } = find(host) ?? {}
    return {
      domain: displayName ?? host,
      primary: String(state.list.primary),
      record: record ? `${record.type} ${record.name} -> ${record.value}` : '',
    }
  }

  return {
    async add() {
      const haveSeen = offerPair(api)
      const added = await ask('add-dialog', {}, async (data) => {
        const typed = String(data.get('domain')).trim()
        if (typed === '') throw new ApiError(400, 'Enter a domain, such as docs.example.com.')
        if (!(await haveSeen(typed))) return undefined
        const domain = await api.addDomain(typed, String(data.get('pair') ?? ''))
        await refresh()
        return domain
      })
      if (!added) return
      const { domain: host } = leaderOf(added, state) ?? added
      state.opened.set(host, true)
      render()
      byId(`name-${host}`)?.focus()
    },
    more() {
      state.limit = Math.min(state.limit + PAGE, MOST)
      return refresh()
    },
    verify: (host) => run(host, () => api.verifyDomain(host)),
    async 'verify-both'(host) {
      const domain = find(host)
      const partner = domain && partnerOf(domain, state)
      await run(host, () => api.verifyDomain(host))
      if (partner) await run(partner.domain, () => api.verifyDomain(partner.domain))
    },
    reissue: (host) => run(host, () => api.reissueCertificate(host)),
    'make-primary': (host) => run(host, () => api.setPrimaryDomain(host)),
    redirect: (host) =>
      ask(
        'redirect-dialog',
        textsOf(host),
        async (data) => {
          const status = Number(data.get('status'))
          await (status ? api.setRedirect(host, status) : api.removeRedirect(host))
          await refresh()
          return true
        },
        (form) => offerStatuses(form, find(host)?.redirect?.status),
      ),
    async remove(host) {
      /** The primary domain changes first, so that no redirect is lost. @param {FormData} data */
      async function removeIt(data) {
        const next = data.get('next')
        const reason = String(data.get('reason') ?? '')
        const isKept = data.has('keep')
        if (isKept && !next) throw new ApiError(400, 'Choose the primary domain that it is to redirect to.')
        if (next) await api.setPrimaryDomain(String(next))
        if (isKept) await api.setRedirect(host, 301)
        if (reason) await api.revokeDomain(host, reason, isKept)
        else if (!isKept) await api.removeDomain(host)
        const fate = isKept ? `will redirect to ${next}` : 'has been removed'
        state.notice = `${domain} ${fate}.${reason && ' Its certificate has been revoked'}`
        if (reason) state.notice += isKept ? ', and a new one is being ordered.' : '.'
        await refresh()
        return true
      }
      const texts = textsOf(host)
      const { domain } = texts
      const isRemoved = await ask('remove-dialog', texts, removeIt, () => offerPrimary(state.list, host))
      if (!isRemoved) return
      announce(state.notice)
      byId('add-domain').focus()
    },
    toggle(host, button) {
      state.opened.set(host, button.ariaExpanded !== 'true')
      render()
    },
    async copy(_host, button) {
      const value = /** @type {Element} */ (button.closest('tr')?.querySelector('code'))
      const isCopied = await copy(value)
      announce(isCopied ? 'Copied.' : 'The value is selected: press Ctrl+C or Cmd+C to copy it.')
      state.copied = isCopied ? button.id : undefined
      render()
    },
  }
}
