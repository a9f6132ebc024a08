// What was chosen in the palette to be done with an account: its screen does it, as its own buttons do.
import { useEffect, useSyncExternalStore } from 'react'

export type AccountAction =
  'check' | 'enable' | 'disable' | 'link' | 'delete' | 'synchronize' | 'pause' | 'resume'

interface Asked {
  readonly id: string
  readonly action: AccountAction
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** The screen that does it need not be there yet. What nobody does meanwhile is forgotten with the next one. */
export function askFor(id: string, action: AccountAction): void {
  asked = { id, action }
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Does once what was asked of this account, if it is among `acts`. Null: it is not known yet. */
export function useAskedAction(
  id: string,
  acts: Readonly<Partial<Record<AccountAction, () => void>>> | null,
): void {
  const now = useSyncExternalStore(listen, () => asked)
  useEffect(() => {
    if (now === null || now !== asked || now.id !== id) return
    const act = acts?.[now.action]
    if (act === undefined) return
    asked = null
    act()
  })
}
