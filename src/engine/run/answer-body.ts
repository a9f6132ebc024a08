// The body of one step's answer as data.
import { whenLoaded } from '../../late-modules.ts'
import type { Json } from '../../language/json/json.ts'
import type { UpstreamBody, UpstreamHead } from '../exchange/transport.ts'
import { isXmlType, readContentType } from '../response/content-type.ts'
import { decodeBody, decodeErrorBody, decodeFiles } from '../response/decode.ts'
import { isSuccess } from '../response/error-rules.ts'
import { unpackBody } from '../response/unpack.ts'
import type { CompiledAction, CompiledStep } from './compiled-action.ts'

/**
 * Reads the body of a step's answer; a promise where it has to be unpacked. Only the last step's answer is the
 * operation's: what earlier ones answer is JSON, or XML at a vendor that speaks it, if they say nothing else; and failures
 * are not packed.
 * Throws as `decodeBody` and `unpackBody` do.
 */
export function readAnswerBody(
  { steps, action }: CompiledAction,
  step: CompiledStep,
  { status, headers }: UpstreamHead,
  raw: UpstreamBody,
): Json | undefined | Promise<Json | undefined> {
  const { decode, unpack } = action.response
  const isLast = step === steps.at(-1)
  const type = headers['content-type']
  const pieces = raw.pieces ?? raw.body
  if (!isSuccess(status))
    return decodeErrorBody(pieces, type, step.decode ?? (isLast ? decode : 'json'))
  const outcome = step.write ? 'applied' : 'not_applied'
  if (step.decode !== null) return decodeBody(pieces, type, step.decode, outcome)
  if (!isLast) {
    const isXml = decode === 'xml' && isXmlType(readContentType(type)?.type ?? '')
    return decodeBody(pieces, type, isXml ? 'xml' : 'json', outcome)
  }
  if (unpack === undefined) return decodeBody(pieces, type, decode, outcome)
  return unpackBody(raw.body, unpack, outcome).then((files) =>
    whenLoaded(() => decodeFiles(files, decode, outcome)),
  )
}
