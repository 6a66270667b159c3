// Signing in and out. The key is kept in memory only: whoever reloads the page signs in again.
import { ApiError, createApi } from './api.js'
import { byId } from './dom.js'
import { sayError, submitWith } from './forms.js'
import { openSession } from './session.js'

const form = /** @type {HTMLFormElement} */ (byId('sign-in'))
const section = byId('domains')
const button = byId('sign-out')
const base = String(byId('main').dataset.api)

submitWith(form, async (data) => {
  const key = String(data.get('key')).trim()
  if (!/^[!-~]+$/.test(key)) throw new ApiError(401, 'Enter the key as it was handed out.')
  const api = createApi(base, key)
  const list = await api.listDomains()
  const end = openSession(api, list, signOut)
  show(true)
  byId('domains-heading').focus()

  /** @param {string} reason */
  function signOut(reason) {
    end()
    show(false)
    sayError(form, reason)
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
