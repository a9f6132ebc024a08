// Starts the reference of the API in its page.
import { start } from '../start.tsx'
import { Reference } from './reference.tsx'
import './reference.css'

start(<Reference />)
