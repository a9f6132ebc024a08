// The body of a request and its content type.
import { nodeCrypto } from '../../late-modules.ts'
import type { Body, BodyWriter, RenderBody } from '../../language/manifest/body-forms/body-form.ts'
import { type BodyTemplate, compileBodyForm } from '../../language/manifest/body-forms/forms.ts'
import { compileEntries } from './entries.ts'

/** Compiles a body template. */
export function compileBody(template: BodyTemplate): RenderBody {
  return compileBodyForm(template, WRITER)
}

const WRITER: BodyWriter = {
  entries: compileEntries,
  // The boundary is made of a hash over all parts, so that none can hold it.
  framed(parts, type): Body {
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
  },
}
