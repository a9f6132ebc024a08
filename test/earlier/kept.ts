// What is kept of an earlier version: a store in every form, and what its service answered.
import { join } from 'node:path'
import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import type { Clock } from '../../src/engine/exchange/clock.ts'
import type { ServiceOptions } from '../../src/hosting/service.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

/** Seals everything that is kept here; it protects nothing. */
export const MASTER_KEY: string = `k1:${Buffer.alloc(32, 9).toString('base64')}`
/** Acts as an application token of the first organisation. */
const DEV_TOKEN = 'development-token-of-the-tests'
export const CONNECTORS: readonly string[] = ['facebook-marketing', 'gong', 'jira']

/** One store, and walks through it that were interrupted. */
export interface KeptStore {
  /** Two instances of the ledger; the first one has a copy. */
  readonly instances: readonly [string, string]
  /** Cursors of second pages. */
  readonly cursors: {
    readonly instances: string
    readonly search: string
    readonly events: string
  }
}

export interface Kept {
  /** When it was made, in milliseconds since 1970: page cursors are good for a day. */
  readonly at: number
  readonly embedded: KeptStore
  readonly postgres: KeptStore
}

/** Starts a service that knows the ledger, at a time in milliseconds since 1970. */
export async function runLedgerService(
  options: ServiceOptions,
  at: number = Date.now(),
): Promise<RunningService> {
  const system = createSystemClock()
  const behind = Date.now() - at
  const clock: Clock = { ...system, now: () => system.now() - behind }
  return await runService({
    mode: 'dev',
    devToken: DEV_TOKEN,
    masterKeys: [MASTER_KEY],
    manifests: [join(import.meta.dirname, 'ledger.yaml')],
    allowHosts: ['127.0.0.1'],
    allowServerUrl: true,
    clock,
    ...options,
  })
}

export const COLLECTION = '/v1/integrations/connectors'
/** The listings whose second pages are kept. */
export const PATHS = {
  instances: `${COLLECTION}?limit=1`,
  events: '/v1/events?limit=1',
} as const

/** A page of instances, events or entries. */
export interface Listed {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly next_cursor: string }
}
/** A page of a search. */
export interface Found {
  readonly hits: readonly { readonly id: string }[]
  readonly next_cursor: string
}

/** Sends a request as the organisation that owns everything; throws where it is refused. */
export async function ask<T>(
  running: RunningService,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await running.call(method, path, body, { as: DEV_TOKEN })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body as T
}

/** Lists entries at the vendor. */
export async function list(running: RunningService, instanceId: string): Promise<Listed> {
  return await execute(running, instanceId, 'list', {})
}

/** Three entries of the copy in the order of their times, from the cursor on. */
export async function search(
  running: RunningService,
  instanceId: string,
  cursor?: string,
): Promise<Found> {
  return await execute(running, instanceId, 'search', {
    query: { filter: { keyword: { text: 'entry' } }, sort: [{ updated: 'asc' }] },
    limit: 3,
    ...(cursor === undefined ? {} : { cursor }),
  })
}

async function execute<T>(
  running: RunningService,
  instanceId: string,
  action: string,
  params: object,
): Promise<T> {
  const operation = { entity: 'entries', action, params }
  return await ask(running, 'POST', `/api/v1/connectors/sources/${instanceId}/execute`, operation)
}
