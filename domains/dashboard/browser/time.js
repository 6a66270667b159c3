// Times for people, in UTC, formatted as in the API's texts.
import { html } from './markup.js'

/** @param {string} time `2026-12-31T10:30:00Z`, shown as `December 31, 2026` */
export function dateView(time) {
  const date = new Date(time).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
  return html`<time datetime="${time}">${date}</time>`
}

const units = /** @type {const} */ ([
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
])
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/**
 * @param {string} time `2026-12-31T10:30:00Z`, shown as `in 4 minutes` or `4 minutes ago`, and on hover as
 *   `2026-12-31 10:30 UTC`
 * @param {number} now Milliseconds.
 */
export function timeView(time, now) {
  const seconds = Math.ceil((Date.parse(time) - now) / 1000)
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= 2 * least) ?? ['second', 1]
  const title = `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const text = relative.format(Math.round(seconds / length), unit)
  return html`<time datetime="${time}" title="${title}">${text}</time>`
}

/** @param {string} time @param {number} now Milliseconds. */
export function secondsUntil(time, now) {
  return Math.max(0, Math.ceil((Date.parse(time) - now) / 1000))
}

/**
 * A text of the API. What happens at a time is said relative to now, and that it is due if the text is older than that;
 * other times are kept on one line.
 * @param {string} text
 * @param {number} now Milliseconds.
 */
export function textView(text, now) {
  return text.split(/((?:(?:is )?at )?\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC)/).map((part, index) => {
    if (index % 2 === 0) return part
    const [, is = '', at, date, time] = /^(is )?(at )?(\S+) (\S+) UTC$/.exec(part) ?? []
    if (!at) return html`<span class="time">${part}</span>`
    const moment = new Date(`${date}T${time}Z`).toISOString()
    if (is && Date.parse(moment) <= now) return 'is due now'
    return html`${is}${timeView(moment, now)}`
  })
}
