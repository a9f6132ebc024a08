// The picture that users see on the connect page. It is drawn and not linked: images of this page come from its own files.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { send } from '../../api/call.ts'
import { Button } from '../../parts/controls.tsx'

/** As the service takes it: base64; null: none. */
type Change = (logo: string | null) => void

/** `stored`: the path that answers with the picture there is; null: there is none. */
export function LogoField(props: {
  readonly stored: string | null
  readonly change: Change
}): ReactNode {
  const { stored, change } = props
  const id = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [shown, setShown] = useState<ImageBitmap | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    if (stored === null) return
    const leaving = new AbortController()
    send('GET', stored, { signal: leaving.signal })
      .then(async (answer) => await createImageBitmap(await answer.blob()))
      .then(setShown, () => {
        if (!leaving.signal.aborted) setFault('The picture there is cannot be shown.')
      })
    return () => leaving.abort()
  }, [stored])
  useEffect(() => {
    if (shown !== null) canvas.current?.getContext('2d')?.drawImage(shown, 0, 0)
  }, [shown])
  const choose = async (file: File): Promise<void> => {
    if (file.size > 65_536) return setFault('The file is larger than 64 KB.')
    try {
      setShown(await createImageBitmap(file))
      setFault(null)
      change(await base64Of(file))
    } catch {
      setFault('This file is no picture that a browser shows.')
    }
  }
  return (
    <div className="field">
      <label htmlFor={id}>Picture on the connect page</label>
      {shown === null ? null : (
        <div className="line settings-row">
          <canvas
            ref={canvas}
            className="settings-logo"
            role="img"
            aria-label="The picture"
            width={shown.width}
            height={shown.height}
          />
          <Button
            className="small"
            onClick={() => {
              setShown(null)
              setFault(null)
              change(null)
            }}
          >
            Take it away
          </Button>
        </div>
      )}
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}about`}
        aria-invalid={fault !== null}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file !== undefined) void choose(file)
        }}
      />
      <div className="about fine" id={`${id}about`}>
        PNG, JPEG or WebP, 64 KB and 1024 pixels a side at most.
        {fault === null ? null : (
          <strong className="fault" role="alert">
            {fault}
          </strong>
        )}
      </div>
    </div>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
