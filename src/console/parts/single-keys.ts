// Whether keys work without Ctrl.
const KEY = 'tenon.single-keys'

/** Single letters can be switched off: who speaks to a browser, or slips, should not be led away. */
export function singleKeys(): boolean {
  return window.localStorage.getItem(KEY) !== 'off'
}

export function setSingleKeys(isOn: boolean): void {
  window.localStorage.setItem(KEY, isOn ? 'on' : 'off')
}
