// Light, dark, or what the system says.

const KEY = 'tenon.theme'

export type Theme = 'system' | 'light' | 'dark'

export function storedTheme(): Theme {
  const stored = window.localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function showTheme(theme: Theme): void {
  window.localStorage.setItem(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
