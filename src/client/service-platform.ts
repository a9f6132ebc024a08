// The port to what a program runs on, as far as the client of a service needs it: Node (node-platform.ts), or anything that
// has the standards of the web (fetch/fetch-platform.ts).
import type { Readable } from 'node:stream'
import type { Clock } from '../engine/exchange/clock.ts'
import type { SendOptions, Transport, UpstreamHead } from '../engine/exchange/transport.ts'
import type { UpstreamRequest } from '../engine/request/upstream-request.ts'
import type { FileSource } from '../language/expression/file-source.ts'
import type { Json } from '../language/json/json.ts'
import type { EntityDescription } from '../language/manifest/describe.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import type { OpenFileInput } from './files.ts'

export type AnswerHead = Pick<UpstreamHead, 'status' | 'headers'>

/** A complete answer, its content encodings undone. */
export interface ServiceAnswer extends AnswerHead {
  readonly body: Uint8Array
}

/** An answer whose body is still arriving. */
export interface StreamedAnswer extends AnswerHead {
  readonly body: IncomingBytes
}

/**
 * Bytes on their way, to be read once, in one of these forms, or cancelled. Every form fails with `download_interrupted`
 * where the bytes break off, and with `aborted` when the caller ends the call: never a short clean end.
 */
export interface IncomingBytes {
  pieces(): AsyncIterable<Uint8Array>
  /** Throws a TypeError on platforms without streams of Node. */
  nodeStream(): Readable
  webStream(): ReadableStream<Uint8Array>
  /** The file is whole or not there. Rejects with a TypeError on platforms without files. */
  toFile(path: string): Promise<void>
  cancel(): void
}

export interface ServicePlatform {
  readonly clock: Clock
  /** Both throw as `Transport` does: `upstream_unreachable`, `upstream_timeout`, `aborted` and the others, with their details. */
  send(request: UpstreamRequest, options: SendOptions): Promise<ServiceAnswer>
  stream(request: UpstreamRequest, options: SendOptions): Promise<StreamedAnswer>
  close: Transport['close']
  /** Throws a JsonError. */
  readJson(bytes: Uint8Array): Json
  readonly openFile: OpenFileInput
  /** The SHA-256 of a file that can be read again, in hexadecimal; null: not of one as large. */
  digest(file: FileSource): Promise<string | null>
  /** What a connector has, where its manifest is at hand; null: the catalogue of the service is asked. */
  describe(connector: string | Manifest): Promise<readonly EntityDescription[] | null>
}
