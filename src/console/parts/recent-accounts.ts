// The accounts that were looked at last, newest first: ids alone, in this browser.
const KEY = 'tenon.accounts'
const MAX = 8

export function recentAccounts(): readonly string[] {
  const text = window.localStorage.getItem(KEY) ?? ''
  return text.split(' ').filter((id) => id !== '')
}

/** Explorer, search and sync open with it from now on. */
export function rememberAccount(id: string): void {
  keep([id, ...recentAccounts().filter((each) => each !== id)])
}

/** It is gone. */
export function forgetAccount(id: string): void {
  keep(recentAccounts().filter((each) => each !== id))
}

function keep(ids: readonly string[]): void {
  window.localStorage.setItem(KEY, ids.slice(0, MAX).join(' '))
}
