// Where people choose between light and dark.
import { type ReactNode, useState } from 'react'
import { showTheme, storedTheme, type Theme } from './theme.ts'
import './theme-choice.css'

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
