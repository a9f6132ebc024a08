// What was said in an operation, for operators who keep it: parameters and answer, redacted, bounded and sealed.
import { isJsonObject } from '../../language/json/members.ts'
import type { Json } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import type { SurroundedBytes } from '../route.ts'
import type { LogContent, LogStore } from '../store/logs.ts'
import type { Vault } from '../vault/vault.ts'

/** Before it is sealed. The answer is the text of JSON, cut where it is long. */
export interface PlainContent {
  /** null: they were too long. */
  readonly params: Json | null
  readonly answer: string | null
  /** Whether the answer goes on. */
  readonly isCut: boolean
}

/** Characters of the parameters and of the answer that are kept. */
const MAX_TEXT = 8192
/** Looked at by the redaction: what it makes shorter may leave room for more. */
const MAX_REDACTED = 4 * MAX_TEXT

/** Masks credentials in a text. */
export type Redact = (text: string) => string

/** What is kept of an operation. Redacted as a whole first: half a token would pass. */
export function plainContent(
  params: Json,
  content: string | SurroundedBytes | null,
  redact: Redact,
): PlainContent {
  const given = redact(JSON.stringify(params))
  const whole = startOf(content)
  const answer = whole === null ? null : redact(whole)
  return {
    params: given.length > MAX_TEXT ? null : readOr(given),
    answer: answer === null ? null : answer.slice(0, MAX_TEXT),
    isCut: answer !== null && (answer.length > MAX_TEXT || lengthOf(content) > MAX_REDACTED),
  }
}

/** Redaction leaves JSON what it is, but for a secret that crosses the end of a text. */
function readOr(text: string): Json | null {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

function startOf(content: string | SurroundedBytes | null): string | null {
  if (content === null || typeof content === 'string')
    return content?.slice(0, MAX_REDACTED) ?? null
  const { before, bytes, after } = content
  return `${before}${bytes.subarray(0, MAX_REDACTED).toString()}${after}`.slice(0, MAX_REDACTED)
}

function lengthOf(content: string | SurroundedBytes | null): number {
  if (content === null || typeof content === 'string') return content?.length ?? 0
  return content.before.length + content.bytes.length + content.after.length
}

const GENERATION = 0

function columnOf(logId: string): string {
  return `log_content:${logId}`
}

export async function sealContent(
  vault: Vault,
  instanceId: string,
  logId: string,
  content: PlainContent,
): Promise<LogContent> {
  const text = JSON.stringify(content)
  const sealed = await vault.seal(instanceId, columnOf(logId), GENERATION, text)
  return { instanceId, logId, sealed }
}

/** Throws `internal_error` when it was tampered with. */
export async function openContent(
  vault: Vault,
  { instanceId, logId, sealed }: LogContent,
): Promise<PlainContent> {
  const text = await vault.openText(instanceId, columnOf(logId), GENERATION, sealed)
  // Written by sealContent, and authenticated.
  const value = parseJson(text)
  const answer = isJsonObject(value) ? own(value, 'answer') : null
  return {
    params: isJsonObject(value) ? (own(value, 'params') ?? null) : null,
    answer: typeof answer === 'string' ? answer : null,
    isCut: isJsonObject(value) && own(value, 'isCut') === true,
  }
}

/** Seals contents of an instance under its newest data key, if `isOld` says so of what there is; how many. */
export async function resealContents(
  vault: Vault,
  logs: Pick<LogStore, 'contentsOf' | 'reseal'>,
  instanceId: string,
  isOld: (sealed: Uint8Array) => boolean,
): Promise<number> {
  const old = (await logs.contentsOf(instanceId)).filter(({ sealed }) => isOld(sealed))
  for (const content of old)
    await logs.reseal(
      await sealContent(vault, instanceId, content.logId, await openContent(vault, content)),
    )
  return old.length
}
