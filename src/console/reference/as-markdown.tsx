// A page as the Markdown that it is made of: to look at, or to hand to an assistant.
import { type ReactNode, useState } from 'react'
import { Button } from '../parts/controls.tsx'
import { ROOT } from '../place.tsx'

const WORDS = {
  no: 'Copy page',
  copied: 'Copied',
  refused: 'Not copied: open it as Markdown',
} as const

/** `path`: of the service, with `.md`. */
export function AsMarkdown({ path }: { readonly path: string }): ReactNode {
  const [done, setDone] = useState<keyof typeof WORDS>('no')
  const copy = async (): Promise<void> => {
    const text = await (await fetch(ROOT + path)).text()
    await navigator.clipboard.writeText(text)
  }
  const tell = (result: keyof typeof WORDS): void => {
    setDone(result)
    window.setTimeout(() => setDone('no'), 2000)
  }
  return (
    <p className="as-markdown fine">
      <a href={ROOT + path}>View as Markdown</a>
      <Button
        className="link"
        onClick={() => {
          copy().then(
            () => tell('copied'),
            () => tell('refused'),
          )
        }}
      >
        {WORDS[done]}
      </Button>
    </p>
  )
}
