// Code or JSON to read and to copy.
import { type ReactNode, useState } from 'react'
import { Button } from './controls.tsx'

export function CodeBlock(props: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <div className="code">
      <CopyButton text={props.text} label={`Copy ${props.label}`} />
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} role="region" aria-label={props.label}>
        {props.text}
      </pre>
    </div>
  )
}

export function CopyButton(props: { readonly text: string; readonly label: string }): ReactNode {
  const [done, setDone] = useState<'no' | 'copied' | 'refused'>('no')
  const copy = (): void => {
    const tell = (result: 'copied' | 'refused'): void => {
      setDone(result)
      window.setTimeout(() => setDone('no'), 2000)
    }
    // Browsers have no clipboard on http beyond loopback.
    void (navigator.clipboard as Clipboard | undefined)?.writeText(props.text).then(
      () => tell('copied'),
      () => tell('refused'),
    )
  }
  return (
    <Button className="small" onClick={copy} aria-label={props.label}>
      <span aria-live="polite">
        {{ no: 'Copy', copied: 'Copied', refused: 'Select and copy by hand' }[done]}
      </span>
    </Button>
  )
}
