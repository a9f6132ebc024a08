// Where people choose between light, dark, and what the system says.
import { type ReactNode, useState } from 'react'
import './theme-choice.css'

const KEY = 'tenon.theme'

type Theme = 'system' | 'light' | 'dark'

function storedTheme(): Theme {
  const stored = window.localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Absent: as it was chosen before. */
export function showTheme(theme: Theme = storedTheme()): void {
  window.localStorage.setItem(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function ThemeChoice(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  return (
    <label className="theme">
      <span>Theme</span>
      <select
        aria-label="Theme"
        value={theme}
        onChange={(event) => {
          // The three options below.
          const chosen = event.target.value as Theme
          setTheme(chosen)
          showTheme(chosen)
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
