// Files that a caller gives next to the parameters: each belongs to a parameter of format `binary`, in which a mark stands
// for it from here on.
import { ConnectorError, type Problem } from '../../errors.ts'
import { type FilesByMark, type FileSource, markOf } from '../../language/expression/file-source.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { fileParams } from '../../language/manifest/file-params.ts'
import type { Action } from '../../language/manifest/manifest.ts'

/** Files by the names of their parameters. */
export type GivenFiles = Readonly<Record<string, FileSource>>

export interface MarkedParams {
  readonly params: JsonObject
  readonly files: FilesByMark
}

const NO_FILES: FilesByMark = new Map()

/**
 * The parameters with a mark for each file. Throws `params_invalid` for a file at a parameter that takes none, for one that
 * is given twice, and for a stream that was read already.
 */
export function markFiles(
  action: Action,
  params: JsonObject,
  given: GivenFiles = {},
): MarkedParams {
  const names = Object.keys(given)
  if (names.length === 0) return { params, files: NO_FILES }
  const takes = fileParams(action)
  const problems: Problem[] = []
  const files = new Map<string, FileSource>()
  const marks: Record<string, string> = {}
  for (const [name, file] of Object.entries(given)) {
    const detail = !takes.includes(name)
      ? 'takes no file'
      : own(params, name) !== undefined
        ? 'is given twice, as a file and as text'
        : file.canOpen()
          ? null
          : 'is a stream that was read already; give a new one'
    if (detail === null) {
      marks[name] = markOf(name)
      files.set(markOf(name), file)
    } else {
      const allowed = takes.includes(name) ? {} : { allowed: takes }
      problems.push({ pointer: pointerTo('/params', [name]), code: 'file', detail, ...allowed })
    }
  }
  if (problems.length === 0) return { params: { ...params, ...marks }, files }
  throw new ConnectorError(
    'params_invalid',
    problems.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '),
    { errors: problems },
  )
}
