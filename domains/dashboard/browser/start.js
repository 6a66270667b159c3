// Signing in and out. The key is kept in memory only, so a reload requires signing in again.
import { ApiError, createApi } from './api.js'
import { showError, submitWith } from './dialogs.js'
import { byId } from './dom.js'
import { openSession } from './session.js'

const form = /** @type {HTMLFormElement} */ (byId('sign-in'))
const section = byId('domains')
const button = byId('sign-out')
const base = String(byId('main').dataset.api)

submitWith(form, async (data) => {
  const key = String(data.get('key')).trim()
  if (!/^[!-~]+$/.test(key)) throw new ApiError(401, 'Enter the key exactly as you received it.')
  const api = createApi(base, key)
  const list = await api.listDomains()
  const end = openSession(api, list, signOut)
  show(true)
  byId('domains-heading').focus()

  /** @param {string} reason */
  function signOut(reason) {
    end()
    show(false)
    showError(form, reason)
    byId('key').focus()
  }
  button.onclick = () => signOut('')
})

/** @param {boolean} isSignedIn */
function show(isSignedIn) {
  form.reset()
  form.hidden = isSignedIn
  section.hidden = !isSignedIn
  button.hidden = !isSignedIn
}
