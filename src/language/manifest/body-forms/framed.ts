// Bodies of several parts. Source: RFC 2046.
import { nodeCrypto } from '../../../late-modules.ts'
import type { Body } from './body-form.ts'

export interface WrittenPart {
  readonly headers: readonly string[]
  readonly content: Uint8Array
}

/** The parts with a boundary that none of them can hold: it is made of a hash over all of them. */
export function framed(parts: readonly WrittenPart[], type: string): Body {
  const hash = nodeCrypto().createHash('sha256')
  for (const { headers, content } of parts)
    hash.update(headers.join('\r\n')).update('\0').update(content)
  const boundary = `tenon-${hash.digest('hex').slice(0, 32)}`
  const chunks = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return {
    content: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    type: `${type}; boundary=${boundary}`,
  }
}
