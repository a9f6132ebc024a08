// Starts the console in its page.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { showTheme, storedTheme } from './parts/theme.ts'
import '../connect/colours.css'
import './style.css'

showTheme(storedTheme())
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
