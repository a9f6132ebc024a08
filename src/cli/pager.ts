// Long texts in a terminal, a screen at a time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from './terminal.ts'

/** What shows texts where nothing else is wanted. `F` and `X`: what fits stays on the screen; `R`: colours stay. */
const DEFAULT_PAGER = 'less'
const DEFAULT_LESS = 'FRX'
/** What a shell gives where it does not find a command. */
const NOT_FOUND: readonly (number | null)[] = [126, 127]

/** The command that shows long texts, as a shell takes it; null: there is to be none. */
export function pagerIn({ TENON_PAGER: own, PAGER: any, TERM: term }: Environment): string | null {
  if (term === 'dumb') return null
  const wanted = (own ?? any ?? DEFAULT_PAGER).trim()
  return wanted === '' || wanted === 'cat' ? null : wanted
}

/** Gives a text to a pager and waits until the person has seen it. False: there is no such command. */
export async function page(pager: string, text: string, env: Environment): Promise<boolean> {
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: DEFAULT_LESS, ...env },
  })
  // Who leaves before the end has seen enough.
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  // Ctrl+C belongs to the pager while it has the terminal.
  const listeners = process.listeners('SIGINT')
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  for (const each of listeners) process.off('SIGINT', each)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return !NOT_FOUND.includes(code)
  } catch {
    // No shell either.
    return false
  } finally {
    for (const each of listeners) process.on('SIGINT', each)
    process.off('SIGINT', ignore)
  }
}
