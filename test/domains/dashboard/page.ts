// A page for the scripts of the dashboard: every element that they ask for is there, and notes what they do with it.
import type { Test } from 'tap'

/** Not typed here: the types of browsers are those of another configuration. The path tells which script a test is about. */
export const script = (path: string) => import(path)

class Part extends EventTarget {
  [name: string]: unknown
  readonly parts = new Map<string, Part>()
  readonly dataset: Record<string, string> = {}
  readonly attributes = []
  readonly childNodes = []
  readonly values: Record<string, string> = {}
  focused = 0

  querySelector = (selector: string) => found(this.parts, selector)
  focus = () => void this.focused++
  close = () => (this.onclose as (() => void) | undefined)?.()
  setAttribute() {}
  replaceChildren() {}
  reset() {}
  showModal() {}
}

function found(parts: Map<string, Part>, name: string): Part {
  const part = parts.get(name) ?? new Part()
  parts.set(name, part)
  return part
}

export interface Timer {
  run(): unknown
  ms: number
}

/** Until the test ends. Its timers run when the test calls them. */
export function pageIn(t: Test) {
  const parts = new Map<string, Part>()
  const byId = (id: string) => found(parts, id)
  const timers = new Set<Timer>()
  const setTimer = (run: () => unknown, ms: number) => {
    const timer = { run, ms }
    timers.add(timer)
    return timer
  }
  const template = { innerHTML: '', content: { firstElementChild: new Part() } }
  const document = Object.assign(new EventTarget(), {
    ...{ hidden: false, getElementById: byId, createElement: () => template },
    querySelectorAll: (name: string) => [byId(name)],
  })
  class Data extends Map<string, string> {
    constructor({ values }: Part) {
      super(Object.entries(values))
    }
  }
  const clear = (timer: Timer) => timers.delete(timer)
  const names = { document, FormData: Data, Element: Part, HTMLElement: Part, HTMLInputElement: Part }
  const clocks = { setTimeout: setTimer, setInterval: setTimer, clearTimeout: clear, clearInterval: clear }
  for (const [name, value] of Object.entries({ ...names, ...clocks }))
    t.intercept(globalThis, name as 'Map', { value } as object)
  return {
    ...{ byId, timers, document },
    /** What was rendered last. */
    html: () => template.innerHTML,
    announced: () => String(byId('announcer').innerHTML ?? '').replace(/<[^>]*>/g, ''),
    /** Submits the form of the dialog with these values. */
    async submit(dialog: string, values: Record<string, string>) {
      const form = byId(dialog).querySelector('form')
      for (const name of Object.keys(form.values)) delete form.values[name]
      Object.assign(form.values, values)
      await (form.onsubmit as (event: object) => Promise<void>)({ preventDefault() {} })
      return String(form.querySelector('[role=alert]').textContent)
    },
    /** An event of an element in the section of the domains. */
    fire(type: string, properties: object) {
      const target = Object.assign(new Part(), properties)
      byId('domains').dispatchEvent(Object.defineProperty(new Event(type), 'target', { value: target }))
    },
  }
}
