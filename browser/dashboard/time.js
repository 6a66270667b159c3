// Times for people, in UTC, formatted as in the API's texts.
import { h } from './dom.js'

/** @param {string} time `2026-12-31T10:30:00Z`, shown as `December 31, 2026` */
export function dateView(time) {
  return h('time', { datetime: time }, new Date(time).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }))
}

/** @param {string} time `2026-12-31T10:30:00Z`, shown as `2026-12-31 10:30 UTC` */
export function timeView(time) {
  return h('time', { datetime: time }, `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`)
}

/** @param {string} time @param {number} now Milliseconds. */
export function secondsUntil(time, now) {
  return Math.max(0, Math.ceil((Date.parse(time) - now) / 1000))
}

/** A text of the API, with its times kept on one line. @param {string} text */
export function textView(text) {
  const parts = text.split(/(\d{4}-\d\d-\d\d \d\d:\d\d UTC)/)
  return parts.map((part, index) => (index % 2 === 1 ? h('span', { class: 'time' }, part) : part))
}
