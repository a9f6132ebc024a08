// Texts as files.

/** Has the browser save a text under a name. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it by the time this runs.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
