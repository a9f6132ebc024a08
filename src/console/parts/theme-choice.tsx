// Where people choose between light, dark, and what the system says.
import { type ReactNode, useSyncExternalStore } from 'react'
import './theme-choice.css'

const KEY = 'tenon.theme'
const CHANGED = 'tenon:theme'

export type Theme = 'system' | 'light' | 'dark'

function storedTheme(): Theme {
  const stored = window.localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Absent: as it was chosen before. */
export function showTheme(theme: Theme = storedTheme()): void {
  window.localStorage.setItem(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  window.dispatchEvent(new Event(CHANGED))
}

function subscribe(listen: () => void): () => void {
  window.addEventListener(CHANGED, listen)
  return () => window.removeEventListener(CHANGED, listen)
}

export function ThemeChoice(): ReactNode {
  const theme = useSyncExternalStore(subscribe, storedTheme)
  return (
    <label className="theme">
      <span>Theme</span>
      <select
        aria-label="Theme"
        value={theme}
        // The three options below.
        onChange={(event) => showTheme(event.target.value as Theme)}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
