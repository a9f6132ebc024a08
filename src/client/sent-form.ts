// An operation with its files as a service takes it: multipart/form-data, the operation in front. Source: RFC 7578.
import { StreamedBody } from '../engine/request/streamed-body.ts'
import type { FileSource } from '../language/expression/file-source.ts'
import type { JsonObject } from '../language/json/json.ts'

export type FilesByParam = Readonly<Record<string, FileSource>>

/** Whether each of these files can be read as often as it is needed. */
export function areRepeatable(files: FilesByParam): boolean {
  return Object.values(files).every(({ openAt }) => openAt !== null)
}

/** What is said of each file in the part `operation`; its digest where one is given. */
export function describeFiles(
  files: FilesByParam,
  digests: Readonly<Record<string, string>> = {},
): JsonObject {
  const described = Object.entries(files).map(([param, { name, type, size }]) => {
    const sha256 = digests[param]
    const facts = {
      ...(name === null ? {} : { name }),
      ...(type === null ? {} : { type }),
      ...(size === null ? {} : { size }),
      ...(sha256 === undefined ? {} : { sha256 }),
    }
    return [param, facts] as const
  })
  return Object.fromEntries(described)
}

/** The form and its content type. It can be sent again as far as its files can be read again. */
export function sentForm(
  operation: object,
  files: FilesByParam,
): { readonly body: StreamedBody; readonly type: string } {
  const boundary = `tenon-${crypto.randomUUID()}`
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="operation"\r\ncontent-type: application/json\r\n\r\n`
  const pieces = [
    encode(head + JSON.stringify(operation)),
    // Name and type are said in the operation, where every character has a place.
    ...Object.entries(files).flatMap(([param, file]) => [
      encode(
        `\r\n--${boundary}\r\ncontent-disposition: form-data; name="${param.replaceAll('"', '%22')}"; filename="file"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      file,
    ]),
    encode(`\r\n--${boundary}--\r\n`),
  ]
  return { body: new StreamedBody(pieces), type: `multipart/form-data; boundary=${boundary}` }
}
