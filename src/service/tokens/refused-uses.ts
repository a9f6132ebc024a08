// Refused uses of applications, as the audit log has them: how many, why, and from where the last one came.
import { refusalOf } from '../../display/audit-actions.ts'
import type { RefusedReason } from '../../display/refused-reasons.ts'
import type { ApplicationRow } from '../store/applications-and-tokens.ts'
import type { AuditEvent } from '../store/audit.ts'
import type { ServiceBase } from '../base.ts'

/** Of a secret that was refused, in words for the audit log. What it is called there stays: earlier entries are read by it. */
const WORDS: Readonly<Record<Exclude<RefusedReason, 'not_permitted'>, string>> = {
  wrong_secret: 'wrong secret',
  expired_secret: 'expired secret',
  disabled: 'disabled application: secret',
  address: 'address not allowed: secret',
}

/** What the audit log says of a refused secret. */
export function whyRefused(
  reason: keyof typeof WORDS,
  { name, clientId }: Pick<ApplicationRow, 'name' | 'clientId'>,
): string {
  return `${WORDS[reason]} of ${name} (${clientId})`
}

/** As `whyRefused` has written it; null: it is about something else. */
function readWhy(
  why: string,
): { readonly reason: RefusedReason; readonly clientId: string } | null {
  const clientId = / \(([^()]*)\)$/.exec(why)?.[1]
  const reason = REASONS.find((each) => why.startsWith(`${WORDS[each]} of `))
  return clientId === undefined || reason === undefined ? null : { reason, clientId }
}

// The keys of a literal.
const REASONS = Object.keys(WORDS) as (keyof typeof WORDS)[]

export interface RefusedUses {
  readonly lastDay: number
  readonly lastWeek: number
  /** There were more than that: of a long log the newest entries are counted, or a part of it cannot be read. */
  readonly isAtLeast: boolean
  /** Of the week, the most frequent first. */
  readonly reasons: readonly { readonly reason: RefusedReason; readonly times: number }[]
  /** To the minute; null: there was none. */
  readonly last: {
    readonly at: number
    readonly reason: RefusedReason
    /** null: it is not known. */
    readonly address: string | null
  } | null
}

const DAY_MS = 86_400_000
export const REFUSED_DAYS = 7
/** Entries of an organisation that are read; each is of one minute, reason and address. */
const MAX_READ = 2000

/** The refused uses of each application of an organisation in the last days, as far as the audit log has them. */
export async function refusedUses(
  {
    store,
    clock,
  }: { readonly store: Pick<ServiceBase['store'], 'audit'> } & Pick<ServiceBase, 'clock'>,
  organizationId: string,
): Promise<(clientId: string) => RefusedUses> {
  const now = clock.now()
  const wanted = { fromMs: now - REFUSED_DAYS * DAY_MS, limit: MAX_READ }
  const { events, isWhole } = await store.audit.refusals(organizationId, wanted)
  const isAtLeast = !isWhole || events.length === MAX_READ
  const found = Map.groupBy(
    events.flatMap((event) => usesIn(event)),
    ({ clientId }) => clientId,
  )
  return (clientId) => summed(found.get(clientId) ?? [], { isAtLeast, dayFrom: now - DAY_MS })
}

interface Use {
  readonly clientId: string
  readonly reason: RefusedReason
  readonly times: number
  readonly at: number
  readonly address: string | null
}

/** Tokens of end users are no uses of a secret. */
function usesIn(event: AuditEvent): readonly Use[] {
  const refusal = refusalOf(event)
  if (refusal === null || refusal.isOfUser) return []
  const { times, code, reasons } = refusal
  const { at, address, actor } = event
  const named = reasons.map(readWhy).find((each) => each !== null)
  if (named !== undefined) return [{ ...named, times, at, address }]
  const reason = OF_CODES.get(code)
  return reason === undefined ? [] : [{ clientId: actor, reason, times, at, address }]
}

/** Of those whose token said who they are. */
const OF_CODES: ReadonlyMap<string, RefusedReason> = new Map([
  ['scope_denied', 'not_permitted'],
  ['address_denied', 'address'],
])

function summed(
  uses: readonly Use[],
  { isAtLeast, dayFrom }: { readonly isAtLeast: boolean; readonly dayFrom: number },
): RefusedUses {
  const reasons = [...Map.groupBy(uses, ({ reason }) => reason)]
    .map(([reason, those]) => ({ reason, times: timesOf(those) }))
    .toSorted((one, other) => other.times - one.times)
  // The newest comes first.
  const [last = null] = uses
  return {
    lastDay: timesOf(uses.filter(({ at }) => at >= dayFrom)),
    lastWeek: timesOf(uses),
    isAtLeast,
    reasons,
    last: last && { at: last.at, reason: last.reason, address: last.address },
  }
}

function timesOf(uses: readonly Use[]): number {
  return uses.reduce((sum, { times }) => sum + times, 0)
}
