// Files among the parameters of a call, taken out of them.
import { type FileInput, isFileInput } from '../engine/adapters/file-inputs.ts'
import type { FileSource } from '../language/expression/file-source.ts'

export { fileFrom } from '../engine/adapters/file-inputs.ts'
export type {
  AboutFile,
  ByteStream,
  FileInput,
  FilePath,
  GivenFile,
} from '../engine/adapters/file-inputs.ts'

export interface ParamsWithFiles {
  /** What is left: JSON, as far as the caller keeps to it. */
  readonly params: object
  readonly files: readonly (readonly [param: string, file: Exclude<FileInput, string>])[]
}

/** The file of a parameter as an operation takes it. Throws `params_invalid` for one that cannot be read. */
export type OpenFileInput = (
  param: string,
  given: Exclude<FileInput, string>,
) => Promise<FileSource>

/** The parameters of a call without the files that stand at their top. */
export function takeFiles(params: object): ParamsWithFiles {
  if (!Object.values(params).some(isFileInput)) return { params, files: [] }
  const members = Object.entries(params) as readonly (readonly [string, unknown])[]
  const files = members.flatMap(([name, value]) =>
    isFileInput(value) ? [[name, value] as const] : [],
  )
  return { params: Object.fromEntries(members.filter(([, value]) => !isFileInput(value))), files }
}

/** The files as an operation takes them. */
export async function openFiles(
  files: ParamsWithFiles['files'],
  open: OpenFileInput,
): Promise<Readonly<Record<string, FileSource>>> {
  const opened = files.map(async ([name, file]) => [name, await open(name, file)] as const)
  return Object.fromEntries(await Promise.all(opened))
}
