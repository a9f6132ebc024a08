// Every screen once, in one list: a new one is walked by all tests that go through it.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { screenshot } from '../fixtures/browser.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { type ConsoleWorld, expectAccessible } from './console-page.ts'

export interface ScreenIds {
  readonly account: string
  readonly webhook: string
}

/** Addresses by the paths of src/console/screens/all-screens.tsx, with what fills them: `ID` is an account, `HOOK` an endpoint. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  '/overview': ['/overview'],
  '/instances': ['/instances'],
  '/instances/new': ['/instances/new', '/instances/new?connector=jira'],
  '/connected': ['/connected'],
  '/instances/{id}/reconnect': ['/instances/ID/reconnect'],
  '/instances/{id}': ['/instances/ID', '/instances/ID?view=settings'],
  '/signed-in': ['/signed-in'],
  '/explorer': ['/explorer?instance=ID', '/explorer?connector=jira&entity=issues&action=get'],
  '/search': ['/search?instance=ID'],
  '/sync': ['/sync', '/sync?instance=ID'],
  '/logs': ['/logs', '/logs?instance=ID'],
  '/webhooks': ['/webhooks'],
  '/webhooks/new': ['/webhooks/new'],
  '/webhooks/{id}': ['/webhooks/HOOK'],
  '/manifests': ['/manifests', '/manifests?connector=gong'],
  '/settings': ['', 'connectors', 'people', 'audit', 'users'].map(
    (part) => `/settings?part=${part}`,
  ),
}

/** Paths of screens that nobody walks. */
export function unwalked(): readonly string[] {
  const screens = readFileSync('src/console/screens/all-screens.tsx', 'utf8')
  const paths = [...screens.matchAll(/\{ path: '([^']+)'/g)].map(([, path = '']) => path)
  return paths.filter((path) => ADDRESSES[path] === undefined)
}

/** All addresses, or of each screen the first. */
export function addressesOf({ account, webhook }: ScreenIds, isShort = false): readonly string[] {
  return Object.values(ADDRESSES)
    .flatMap((addresses) => (isShort ? addresses.slice(0, 1) : addresses))
    .map((address) => address.replace('ID', account).replace('HOOK', webhook))
}

/** Widths of phones, of small and of usual windows. */
const WIDTHS = [360, 375, 390, 1280, 1440] as const
/** Where axe looks, too: a walk has one of them, so that it sees both themes and both sizes, and two walks have all. */
const LOOKED_AT = [
  ['390 dark', '1280 light'],
  ['390 light', '1280 dark'],
] as const

/**
 * Goes through all of them, at all widths in both themes: nothing reaches beyond the right edge, and nobody is kept out.
 * `walk`: which of the places axe looks at.
 */
export async function expectScreensFit(
  world: ConsoleWorld,
  page: Page,
  {
    name,
    ids,
    walk,
    isShort = false,
  }: {
    readonly name: string
    readonly ids: ScreenIds
    readonly walk: 0 | 1
    readonly isShort?: boolean
  },
): Promise<void> {
  const wrong: string[] = []
  const looked: readonly string[] = LOOKED_AT[walk]
  for (const address of addressesOf(ids, isShort)) {
    await page.setViewportSize({ width: 1280, height: 860 })
    await world.show(page, address)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 860 })
        const excess = await sideways(page)
        if (excess > 0) wrong.push(`${address} at ${width}, ${colorScheme}: ${excess} too wide`)
        if (!IS_FULL && !looked.includes(`${width} ${colorScheme}`)) continue
        await expectAccessible(page)
        await screenshot(page, `${name}-${fileName(address, ids)}-${width}-${colorScheme}`)
      }
    }
  }
  expect(wrong).toEqual([])
}

/** Leads to another screen in a page that stays, as a link does. */
export async function moveTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`(() => {
    history.pushState(null, '', ${JSON.stringify(`/console${address}`)})
    dispatchEvent(new Event('tenon:moved'))
  })()`)
}

/** Goes through addresses in several pages at once: most of the time each waits for its network. */
export async function inPages(
  world: ConsoleWorld,
  addresses: readonly string[],
  walk: (page: Page, addresses: readonly string[]) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: PAGES }, async (_, first) => {
      const { page, faults } = await world.enter('/connected')
      await walk(
        page,
        addresses.filter((__, at) => at % PAGES === first),
      )
      expect(faults).toEqual([])
      await page.context().close()
    }),
  )
}

const PAGES = 4

/** By how many pixels a page reaches beyond its right edge, once it has found its size. */
export async function sideways(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    resolve(scrollWidth - clientWidth)
  })))`)) as number
}

function fileName(address: string, { account, webhook }: ScreenIds): string {
  return address.replace(account, 'ID').replace(webhook, 'HOOK').replaceAll(/\W+/g, '-').slice(1)
}
