// An operation with its files as a service takes it: multipart/form-data, the operation in front.
import { StreamedBody } from '../engine/request/streamed-body.ts'
import type { FileSource } from '../language/expression/file-source.ts'
import type { JsonObject } from '../language/json/json.ts'
import { framed, type WrittenPart } from '../language/manifest/body-forms/framed.ts'
import { nodeCrypto } from '../late-modules.ts'

export type FilesByParam = Readonly<Record<string, FileSource>>

/** Whether each of these files can be read as often as it is needed. */
export function areRepeatable(files: FilesByParam): boolean {
  return Object.values(files).every(({ openAt }) => openAt !== null)
}

/**
 * What is said of each file in the part `operation`. `hashed`: with its digest, for which a file that is not in memory is
 * read once more.
 */
export async function describeFiles(
  files: FilesByParam,
  { hashed }: { readonly hashed: boolean },
): Promise<JsonObject> {
  const described = Object.entries(files).map(async ([param, file]) => {
    const { name, type, size } = file
    const facts = {
      ...(name === null ? {} : { name }),
      ...(type === null ? {} : { type }),
      ...(size === null ? {} : { size }),
      ...(hashed ? { sha256: await digestOf(file) } : {}),
    }
    return [param, facts] as const
  })
  return Object.fromEntries(await Promise.all(described))
}

async function digestOf(file: FileSource): Promise<string> {
  const hash = nodeCrypto().createHash('sha256')
  for await (const piece of file.open()) hash.update(piece)
  return hash.digest('hex')
}

/** The form and its content type. It can be sent again as far as its files can be read again. */
export function sentForm(
  operation: object,
  files: FilesByParam,
): { readonly body: StreamedBody; readonly type: string } {
  const parts = Object.entries(files).map(([param, file]) => fileWithHead(param, file))
  const { content, type } = framed(
    [
      {
        headers: [
          'content-disposition: form-data; name="operation"',
          'content-type: application/json',
        ],
        content: Buffer.from(JSON.stringify(operation)),
      },
      ...parts,
    ],
    'multipart/form-data',
  )
  const pieces = typeof content === 'string' ? Buffer.from(content) : content
  return { body: new StreamedBody(pieces instanceof Uint8Array ? [pieces] : pieces), type }
}

/** Name and type are said in the operation, where every character has a place. */
function fileWithHead(param: string, content: FileSource): WrittenPart {
  const name = param.replaceAll('"', '%22')
  return {
    headers: [
      `content-disposition: form-data; name="${name}"; filename="file"`,
      'content-type: application/octet-stream',
    ],
    content,
  }
}
