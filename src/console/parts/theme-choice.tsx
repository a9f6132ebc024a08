// Where people choose between light, dark, and what the system says.
import { Monitor, Moon, Sun } from 'lucide-react'
import { type ReactNode, useId, useSyncExternalStore } from 'react'
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

const THEMES = [
  ['system', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const

export function ThemeChoice(): ReactNode {
  const theme = useSyncExternalStore(subscribe, storedTheme)
  const id = useId()
  return (
    <div className="theme" role="radiogroup" aria-labelledby={id}>
      <span id={id}>Theme</span>
      <div className="theme-choices">
        {THEMES.map(([value, words, Icon]) => (
          <label key={value} title={words}>
            <input
              type="radio"
              name={id}
              aria-label={words}
              checked={theme === value}
              onChange={() => showTheme(value)}
            />
            <Icon size={15} aria-hidden />
          </label>
        ))}
      </div>
    </div>
  )
}
