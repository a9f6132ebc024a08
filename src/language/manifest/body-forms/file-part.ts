// The bytes of a file with what is said of them: base64 text, or a file that the caller gives next to the parameters.
import { compileTemplate } from '../../expression/evaluate.ts'
import type { FileSource } from '../../expression/file-source.ts'
import { attempt, type Refusals } from '../../expression/refusals.ts'
import type { Scope, Template } from '../../expression/syntax.ts'
import { decodeBase64, headerValue } from '../../expression/text-value.ts'

export interface FilePart {
  /** A file that is not in memory is read while it is sent. */
  readonly content: Uint8Array | FileSource
  readonly type: string
  /** What the caller calls it; null: nothing. */
  readonly name: string | null
}

const ANY_TYPE = 'application/octet-stream'

/** Renders a file; null where there is none, or where it cannot be placed, which `refusals` tell then. */
export type RenderFile = (scope: Scope, refusals: Refusals) => FilePart | null

/** `type`: null for what its caller says of it. */
export function compileFile(base64: Template, type: Template | null): RenderFile {
  const evaluate = compileTemplate(base64)
  const typeIn = type === null ? () => null : compileTemplate(type)
  return (scope, refusals) => {
    let file: FileSource | undefined
    const content = attempt(refusals, base64, () => {
      const value = evaluate(scope)
      if (value === undefined || value === null) return undefined
      file = typeof value === 'string' ? scope.files?.get(value) : undefined
      return file === undefined ? decodeBase64(value) : (file.bytes ?? file)
    })
    if (content === undefined) return null
    const said = attempt(refusals, type, () => typeIn(scope)) ?? null
    const kind = attempt(refusals, said === null ? base64 : type, () =>
      headerValue(said ?? file?.type ?? ANY_TYPE),
    )
    return kind === undefined ? null : { content, type: kind, name: file?.name ?? null }
  }
}
