// Bodies of several parts (RFC 2046, RFC 7578), as far as a vendor needs to read them.
import type { SentPart } from '../../language/manifest/body-forms/body-form.ts'

/** The parts in order; null when the content type names no boundary or the body does not keep to it. */
export function readParts(contentType: string, body: Buffer): readonly SentPart[] | null {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined) return null
  const delimiter = Buffer.from(`\r\n--${name}`)
  // The first delimiter may open the body, without a line break before it.
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const parts: SentPart[] = []
  let at = whole.indexOf(delimiter)
  while (at >= 0) {
    const start = at + delimiter.length
    if (whole.toString('latin1', start, start + 2) === '--') return parts
    const end = whole.indexOf(delimiter, start)
    const blank = whole.indexOf('\r\n\r\n', start)
    if (end < 0 || blank < 0 || blank > end) return null
    parts.push(readPart(whole.toString('utf8', start + 2, blank), whole.subarray(blank + 4, end)))
    at = end
  }
  return null
}

function readPart(head: string, body: Buffer): SentPart {
  const headers: Record<string, string> = {}
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
  }
  const disposition = headers['content-disposition'] ?? ''
  return {
    headers,
    name: parameter(disposition, 'name'),
    filename: parameter(disposition, 'filename'),
    body,
  }
}

function parameter(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(header)
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? null
}
