// `bytes`: a body of nothing but the bytes of a file.
import type { Template } from '../../expression/syntax.ts'
import type { BodyForm } from './body-form.ts'
import { compileFile } from './file-part.ts'

interface BytesBody {
  readonly kind: 'bytes'
  readonly base64: Template
  /** null: what the caller says of the file. */
  readonly type: Template | null
}

export const bytes: BodyForm<'bytes', BytesBody> = {
  kind: 'bytes',
  sent: null,
  arrivesAs: null,
  bodyOf: ({ base64, type = null }) => ({ kind: 'bytes', base64, type }),
  data: () => null,
  compile({ base64, type }) {
    const render = compileFile(base64, type)
    return (scope, refusals) => {
      const file = render(scope, refusals)
      if (file === null) return null
      const { content } = file
      return { content: content instanceof Uint8Array ? content : [content], type: file.type }
    }
  },
  read({ base64, type }, sent) {
    const given = sent.bytes()
    sent.template(base64, given.body.toString('base64'), 'body')
    if (type !== null) sent.template(type, given.type, 'content-type', 'repeat')
  },
}
