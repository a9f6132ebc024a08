// A download, held by the browser until it is saved.
import { type ReactNode, useEffect, useState } from 'react'
import type { Progress } from '../../api/send-form.ts'

export interface SavedFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Blob
  readonly partial: boolean
}

/** Reads an answer to its end, and tells how far it is. Throws when it breaks off. */
export async function readFile(
  response: Response,
  told: (progress: Progress) => void,
): Promise<SavedFile> {
  const length = response.headers.get('content-length')
  const total = length === null ? null : Number(length)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let done = 0
  const reader = (response.body ?? new Blob().stream()).getReader()
  for (;;) {
    const { value: part } = await reader.read()
    if (part === undefined) break
    parts.push(part)
    done += part.byteLength
    told({ done, total })
  }
  const disposition = response.headers.get('content-disposition') ?? ''
  return {
    name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'download',
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    partial: response.status === 206,
    bytes: new Blob(parts, { type: response.headers.get('content-type') ?? '' }),
  }
}

/** The address of bytes as long as they are shown. */
export function useObjectUrl(bytes: Blob): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(bytes)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes])
  return url
}

export function SavedFileNotice(props: { readonly file: SavedFile }): ReactNode {
  const { file } = props
  const url = useObjectUrl(file.bytes)
  return (
    <div className="notice">
      <p>
        <strong>{file.name}</strong> · {file.contentType} · {sizeText(file.bytes.size)}
        {file.partial ? ' · the part that was asked for' : ''}
      </p>
      <a className="button primary" href={url} download={file.name}>
        Save the file
      </a>
    </div>
  )
}

/** How much of a file has moved. */
export function FileProgress({ of: { done, total } }: { readonly of: Progress }): ReactNode {
  const isCounted = total !== null && total >= done
  return (
    <div className="file-progress">
      <progress
        aria-label="Bytes that have moved"
        max={isCounted ? total : 1}
        {...(isCounted ? { value: done } : {})}
      />
      <span className="fine">
        {sizeText(done)}
        {isCounted ? ` of ${sizeText(total)}` : ''}
      </span>
    </div>
  )
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

function sizeText(bytes: number): string {
  const step = Math.min(
    UNITS.length - 1,
    bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000)),
  )
  const value = bytes / 1000 ** step
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step] ?? ''}`
}
