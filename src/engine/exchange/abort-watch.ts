// Who wants to know that a signal was aborted. Calls begin and end by the thousand with one signal: a listener of
// EventTarget for each costs more than all else that a call does, so the signal gets one, and calls are on its list.

/** Told once, when the signal is aborted. */
export interface AbortWatcher {
  onAbort(): void
}

const lists = new WeakMap<AbortSignal, WatchList>()

class WatchList {
  readonly watchers: AbortWatcher[] = []

  /** The signal's listener. */
  handleEvent(): void {
    for (let next = this.watchers.shift(); next !== undefined; next = this.watchers.shift())
      next.onAbort()
  }
}

/** Tells the watcher when the signal is aborted, and never if it is already. To be ended by `endWatch`. */
export function watchAbort(signal: AbortSignal, watcher: AbortWatcher): void {
  let list = lists.get(signal)
  if (list === undefined) {
    list = new WatchList()
    lists.set(signal, list)
    signal.addEventListener('abort', list)
  }
  list.watchers.push(watcher)
}

/** Tells the watcher nothing any more. One that does not watch is no mistake. */
export function endWatch(signal: AbortSignal, watcher: AbortWatcher): void {
  const watchers = lists.get(signal)?.watchers
  const at = watchers?.indexOf(watcher) ?? -1
  if (at !== -1) watchers?.splice(at, 1)
}
