// Entries of the logs in words.
import { nameInWords } from '../../../display/names-in-words.ts'
import { runInWords, runsInWords } from '../../../display/run-kinds.ts'
import type { LogEntry } from '../../api/answers.ts'
import { type Json, writeJson } from '../../api/json-text.ts'
import { plainText } from '../../../display/plain-text.ts'

export const KINDS: Readonly<Record<LogEntry['kind'], string>> = {
  operation: 'Operation',
  request: 'Own request',
  mcp_call: 'Agent',
  draft: 'Draft',
  refresh: 'Token refresh',
  consent: 'Consent',
  sync: 'Sync',
  delivery: 'Event delivery',
  vendor_webhook: 'Vendor webhook',
  check: 'Check',
}

/** `failures` → `Failures in a row` */
export function factName(name: string): string {
  const words = nameInWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A fact of an entry in words. */
export function factWords(name: string, value: Json): string {
  if (name === 'runs' && Array.isArray(value)) return plainText(runsInWords(value))
  return plainText(typeof value === 'string' ? value : writeJson(value))
}

/** What it was about: `issues.get`, `calls: changes`, `connector.updated`. */
export function subjectOf({ kind, entity, action }: LogEntry): string {
  const names = [entity, action].filter((name) => name !== null)
  if (names.length === 0) return KINDS[kind]
  if (kind === 'sync' && entity !== null && action !== null)
    return `${plainText(entity)}: ${runInWords(action)}`
  const why = entity === null ? WHY[action ?? ''] : undefined
  return why ?? plainText(names.join('.'))
}

/** Why a token was refreshed or the credentials were checked. */
const WHY: Readonly<Record<string, string>> = {
  missing: 'as there was none yet',
  connected: 'as the account was connected',
  reconnected: 'as it got new credentials',
  expiring: 'before the old one ends',
  refused: 'as the old one was refused',
  recovery: 'after one whose answer was lost',
  asked: 'asked for',
  after_refusal: 'after a call was refused',
}

/** The same where its kind does not stand next to it: `Sync of calls: everything`. */
export function titleOf(entry: LogEntry): string {
  const { kind, entity, action } = entry
  const subject = subjectOf(entry)
  if (kind === 'operation' || subject === KINDS[kind]) return subject
  if (kind === 'sync' && entity !== null) return `Sync of ${subject}`
  const why = WHY[action ?? '']
  if (kind === 'check')
    return ['Check of the credentials', ...(why === undefined ? [] : [why])].join(', ')
  return kind === 'refresh' && why !== undefined
    ? `${KINDS[kind]}, ${why}`
    : `${KINDS[kind]}: ${subject}`
}

export function durationOf(ms: number): string {
  if (ms < 10) return `${ms} ms`
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}
