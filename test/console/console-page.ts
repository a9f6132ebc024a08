// A service with its console in a real browser, signed in.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { inject } from 'vitest'
import type { ServiceOptions } from '../../src/hosting/service.ts'
import {
  type Cookie,
  joinBrowser,
  type OpenBrowser,
  type WatchedPage,
} from '../fixtures/browser.ts'
import { signedIn } from '../fixtures/console-session.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

export { expectAccessible } from '../fixtures/accessible.ts'

/** The address of the browser; null: there is none, and the tests of the console are skipped. */
export const chromium: string | null = inject('browser')

/** The browser as this process uses it; pages have profiles of their own. */
let shared: Promise<OpenBrowser> | null = null

export interface ConsoleWorld extends AsyncDisposable {
  readonly service: RunningService
  /** A page at the sign-in screen, in a profile of its own. */
  visit(path?: string, options?: BrowserContextOptions): Promise<WatchedPage>
  /** The same, signed in as the first application. */
  enter(path?: string, options?: BrowserContextOptions): Promise<WatchedPage>
  /** Loads a screen in a page that has shown another one, as if nothing had been typed or held there. */
  show(page: Page, path: string): Promise<void>
}

export async function openConsole(options: ServiceOptions = {}): Promise<ConsoleWorld> {
  if (chromium === null) throw new TypeError('tests without a browser are skipped')
  shared ??= joinBrowser(chromium)
  const [service, browser] = await Promise.all([
    runService(options, { consoleFolder: inject('consoleFolder') }),
    shared,
  ])
  const contexts: BrowserContext[] = []
  async function open(
    path: string,
    given: BrowserContextOptions,
    cookies: readonly Cookie[],
  ): Promise<WatchedPage> {
    const watched = await browser.page(given, cookies)
    contexts.push(watched.page.context())
    await watched.page.goto(`${service.url}/console${path}`)
    return watched
  }
  return {
    service,
    visit: (path = '', given = {}) => open(path, given, []),
    async enter(path = '', given = {}) {
      const watched = await open(path, given, [await signedIn(service)])
      await watched.page.getByRole('navigation', { name: 'Screens' }).waitFor()
      return watched
    },
    async show(page, path) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.evaluate('sessionStorage.clear()')
      await page.goto(`${service.url}/console${path}`)
      await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    },
    async [Symbol.asyncDispose]() {
      // A page that a test has left open asks again and again.
      await Promise.all(contexts.map((context) => context.close()))
      await service[Symbol.asyncDispose]()
    },
  }
}

/** Chooses an action of the menu of an account. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
