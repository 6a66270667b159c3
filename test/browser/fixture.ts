// The built server and a page in Chromium, which must cause no errors, CSP violations or foreign requests.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Document } from 'exact-openapi'
import Fastify from 'fastify'
import { openapiPages } from 'openapi-pages'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import tap, { type Test } from 'tap'
import { startServer } from '../fixtures/process.ts'

export const key = 'browser-key'

/** How long anything may take: on a busy machine, a page has taken more than Playwright's 30 s. */
const MAX_WAIT_MS = 300_000

/** Where the built server listens; it runs until the test ends. */
export function serve(t: Test, env: Record<string, string> = {}): Promise<string> {
  return startServer(t, { API_KEYS: `browser:${key}`, ...env }).origin
}

/** Where the pages of a document listen until the test ends, with what else the app has. */
export async function serveDocument(t: Test, document: Document, app = Fastify()): Promise<string> {
  t.teardown(() => app.close())
  await app.register(openapiPages, { document })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** A page that has loaded `url`. `origins` are those that it may load from. */
export async function show(t: Test, url: string, options: BrowserContextOptions = {}, origins = [new URL(url).origin]) {
  browser ??= launch(tap)
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(MAX_WAIT_MS)
  const page = await context.newPage()
  t.teardown(async () => {
    if (!t.passing()) tap.comment(`the page shows: ${await textOf(page)}`)
    await context.close()
  })
  page.on('pageerror', (error) => t.fail(error.message))
  page.on('console', (message) => {
    const { url } = message.location()
    const isAnswer = message.text().startsWith('Failed to load resource') && url.includes('/v1/')
    if (!isAnswer) t.fail(`${message.type()} in the console: ${message.text()} (${url})`) // an expected Error is allowed
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && !origins.includes(origin)) t.fail(`a request to ${origin}`)
  })
  await page.goto(url)
  return page
}

/** What a reader sees last: an open dialog, else the page. */
async function textOf(page: Page): Promise<string> {
  const shown = page.locator('dialog[open], body').last()
  return (await shown.innerText({ timeout: 1_000 }).catch(String)).slice(0, 2_000)
}

/** The form that sends the operation. */
export async function tryIt(page: Page, operationId: string): Promise<Locator> {
  await page.locator(`#${operationId}`).getByRole('button', { name: 'Try it' }).click()
  const form = page.getByRole('form', { name: `Try ${operationId}` })
  await form.waitFor()
  return form
}

/** Enters the key near the top of the page. */
export async function authorize(page: Page) {
  const access = page.getByRole('form', { name: 'Server and API key' })
  await access.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await access.getByText('Key accepted').waitFor()
}

/** Submits the form, which must then show the status. */
export async function execute(t: Test, form: Locator, id: string, status: string) {
  await form.getByLabel('Id').fill(id)
  await send(t, form, status)
  await form.getByRole('button', { name: /^Send / }).waitFor() // the status is shown before the body has arrived
}

/** Sends the request of the form, which must then show the status if there is one. */
export async function send(t: Test, form: Locator, status?: string) {
  await form.getByRole('button', { name: /^Send / }).click()
  if (status) await settles(t, () => statusOf(form), status)
}

/** The status of the response, such as `404`. */
export async function statusOf(form: Locator) {
  return (await form.locator('.status-line').innerText()).slice(0, 3)
}

/** Waits until a value is as expected. */
export async function settles<T>(t: Test, read: () => Promise<T>, wanted: T, message = 'should settle') {
  const end = Date.now() + MAX_WAIT_MS
  let found = await read()
  while (!isDeepStrictEqual(found, wanted) && Date.now() < end) {
    await setTimeout(20) // the value may be of this process, which can change it only meanwhile
    found = await read()
  }
  t.strictSame(found, wanted, message)
}

/** A part of it is within the window. */
export async function isInView(element: Locator) {
  const [box, size] = [await element.boundingBox(), element.page().viewportSize()]
  return box !== null && size !== null && box.width > 0 && box.y + box.height > 0 && box.y < size.height
}

let browser: Promise<Browser> | undefined

/** Chromium, until the test ends. @param more arguments of its command line */
export async function launch(t: Pick<Test, 'teardown'>, more: readonly string[] = []) {
  const all = [...args, ...more]
  const launched = await chromium.launch({ executablePath: chromiumPath(), args: all, timeout: MAX_WAIT_MS })
  t.teardown(() => launched.close())
  return launched
}

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']

function chromiumPath(): string {
  return installed('chromium', process.env.CHROMIUM_PATH || '/usr/bin/chromium', 'CHROMIUM_PATH')
}

export function firefoxPath(): string {
  return installed('firefox-esr', process.env.FIREFOX_PATH || '/usr/bin/firefox-esr', 'FIREFOX_PATH')
}

export const webKitDriverPath = () =>
  installed('webkit2gtk-driver', process.env.WEBKIT_DRIVER_PATH || '/usr/bin/WebKitWebDriver', 'WEBKIT_DRIVER_PATH')

/** Comes with the driver, in the folder of the processor's libraries. */
export function miniBrowserPath(): string {
  const libraries = '/usr/lib'
  const paths = readdirSync(libraries).map((folder) => join(libraries, folder, 'webkit2gtk-4.1/MiniBrowser'))
  return installed('webkit2gtk-driver', process.env.WEBKIT_PATH || paths.find(existsSync) || libraries, 'WEBKIT_PATH')
}

export const xvfbPath = () => installed('xvfb', process.env.XVFB_PATH || '/usr/bin/Xvfb', 'XVFB_PATH')

function installed(name: string, path: string, variable: string): string {
  if (existsSync(path)) return path
  throw new Error(`no ${name} at ${path}: install it (apt-get install ${name}), or set ${variable}`)
}
