// Starts the console in its page.
import { start } from './start.tsx'
import { App } from './app.tsx'

start(<App />)
