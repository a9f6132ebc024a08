// Whether keys work without Ctrl.
const KEY = 'tenon.single-keys'

/** Single letters can be switched off: who speaks to a browser, or slips, should not be led away. */
export function singleKeys(): boolean {
  return window.localStorage.getItem(KEY) !== 'off'
}

export function setSingleKeys(isOn: boolean): void {
  window.localStorage.setItem(KEY, isOn ? 'on' : 'off')
}

/** Where letters are typed, or a dialog has the keyboard. */
export function isBusy(event: KeyboardEvent): boolean {
  // In a shadow tree, as of the editor of manifests, the target that others see is the whole tree.
  const [target] = event.composedPath()
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select') ||
    document.querySelector('[role="dialog"]') !== null
  )
}
