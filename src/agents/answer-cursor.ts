// Where an answer goes on: the page it was on, and how many of its records were told.
import { ConnectorError } from '../errors.ts'
import { canonicalJson } from '../language/json/canonical-json.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { tryParseJson } from '../language/json/parse-json.ts'
import { nodeCrypto } from '../late-modules.ts'

export interface AnswerPlace {
  /** The patch to the params that asks for the page; null for the first. */
  readonly page: JsonObject | null
  /** Records of that page that were told already. */
  readonly told: number
}

/** What a cursor belongs to: it does not open anything else. */
export interface CursorOwner {
  readonly client: string
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
}

/** The place as text. It holds no secrets and needs no memory here: the agent brings it back. */
export function encodePlace(place: AnswerPlace, owner: CursorOwner): string {
  const content = [fingerprint(owner), place.told, place.page]
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** The place of a text. Throws `cursor_invalid` when it is none, or that of other params. */
export function decodePlace(text: string, owner: CursorOwner): AnswerPlace {
  const content = tryParseJson(Buffer.from(text, 'base64url').toString('utf8'))
  const [mark, told, page] = Array.isArray(content) ? (content as readonly Json[]) : []
  if (
    typeof told !== 'number' ||
    !Number.isInteger(told) ||
    told < 0 ||
    (page !== null && !isJsonObject(page))
  )
    throw refusal('is not one that this tool gave; leave it out to begin at the first record')
  if (mark !== fingerprint(owner))
    throw refusal('belongs to another call; repeat the params of that call, or leave it out')
  return { page, told }
}

function refusal(detail: string): ConnectorError {
  return new ConnectorError('cursor_invalid', `answer_cursor ${detail}`, {
    errors: [{ pointer: '/answer_cursor', code: 'cursor', detail }],
  })
}

/** The same params in another order are the same call. */
function fingerprint({ client, entity, action, params }: CursorOwner): string {
  const text = canonicalJson([client, entity, action, params])
  return nodeCrypto().createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
