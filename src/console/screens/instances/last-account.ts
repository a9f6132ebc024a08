// The account that was looked at last: its details, or a screen that is about it.
const KEY = 'tenon.account'

/** Explorer, search and sync open with it from now on. */
export function rememberAccount(id: string): void {
  window.localStorage.setItem(KEY, id)
}

/** Its id; null: none was looked at in this browser. It may be gone by now. */
export function lastAccount(): string | null {
  return window.localStorage.getItem(KEY)
}
