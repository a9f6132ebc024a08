// Which screen is at a path, and which one a path means that has none.
import { VIEWS } from '../parts/account-nav.tsx'
import { addressOf, type ScreenEntry } from '../place.tsx'
import { SCREENS } from '../screens/all-screens.tsx'
import { SETTING_PARTS } from '../screens/settings/setting-parts.ts'

export function screenAt(
  path: string,
): { readonly screen: ScreenEntry; readonly id: string } | undefined {
  for (const screen of SCREENS) {
    const pattern = `^${screen.path.replace('{id}', '(?<id>[0-9a-f-]+)')}$`
    const match = new RegExp(pattern).exec(path)
    if (match !== null) return { screen, id: match.groups?.['id'] ?? '' }
  }
  return undefined
}

/**
 * The address that is meant by a path that no screen has: by the name of the screen (`/accounts`), or what people call it
 * (`/connections/{id}`), in any case and with slashes too many; by a part of Settings; by a tab of an account. Null: none.
 */
export function addressMeant(path: string): string | null {
  const [first = '', ...rest] = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
  const [id = '', view = ''] = rest
  const plain = ['', first, ...rest].join('/')
  if (screenAt(plain) !== undefined) return addressOf(plain)
  const part = partCalled(first === 'settings' ? id : first)
  if (part !== undefined && rest.length === (first === 'settings' ? 1 : 0))
    return addressOf('/settings', { part })
  const screen = screenCalled(first)
  if (screen === undefined) return null
  const below = [screen.path, ...rest].join('/')
  if (screenAt(below) !== undefined) return addressOf(below)
  const tab = rest.length === 2 ? Object.entries(VIEWS).find(([name]) => name === view) : undefined
  return tab !== undefined && screenAt(`${screen.path}/${id}`)?.id === id ? tab[1][1](id) : null
}

/** What has the name goes before what is only called so, too. */
function screenCalled(name: string): ScreenEntry | undefined {
  const inMenu = SCREENS.filter((screen) => screen.inMenu !== undefined)
  return (
    inMenu.find((screen) => isCalled(name, screen.inMenu ?? '')) ??
    inMenu.find(({ alsoCalled = '' }) => alsoCalled.split(' ').some((word) => isCalled(name, word)))
  )
}

function partCalled(name: string): string | undefined {
  return Object.entries(SETTING_PARTS).find(
    ([part, { title }]) => isCalled(name, part) || isCalled(name, title.replaceAll(' ', '-')),
  )?.[0]
}

/** One of them is meant by the name of several: `/webhook`. */
function isCalled(name: string, word: string): boolean {
  const called = word.toLowerCase()
  return name === called || `${name}s` === called
}
