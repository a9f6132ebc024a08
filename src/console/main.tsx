// Starts the console in its page.
import { start } from './start.tsx'
import { App } from './app.tsx'
import { holdEarlyKeys } from './shell/early-keys.ts'

holdEarlyKeys()
start(<App />)
