// Starts the console in its page.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { answers } from './api/use-answer.ts'
import { App } from './app.tsx'
import { showTheme, storedTheme } from './parts/theme.ts'
import '../connect/colours.css'
import './style.css'
import './parts/table.css'

showTheme(storedTheme())
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={answers}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
