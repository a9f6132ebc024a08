// Shows a page in its place: the console, or the reference of the API.
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { answers } from './api/use-answer.ts'
import { showTheme } from './parts/theme-choice.tsx'
import { beginAgainForOthers } from './parts/typed.ts'
import '../connect/colours.css'
import '../connect/typeface.css'
import './style.css'
import './parts/table.css'

export function start(page: ReactNode): void {
  showTheme()
  beginAgainForOthers()
  const root = document.getElementById('root')
  if (root === null) throw new TypeError('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={answers}>{page}</QueryClientProvider>
    </StrictMode>,
  )
}
