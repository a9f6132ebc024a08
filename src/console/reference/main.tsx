// Starts the reference of the API in its page.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showTheme, storedTheme } from '../parts/theme.ts'
import { Reference } from './reference.tsx'
import '../../connect/colours.css'
import '../style.css'
import './reference.css'

showTheme(storedTheme())
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <Reference />
  </StrictMode>,
)
