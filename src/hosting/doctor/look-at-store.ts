// The store: whether it answers, its schema, its clock, and the master keys that its data needs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_FILE } from '../../service/vault/keys/file-keys.ts'
import { openStore, timeOf } from '../../service/store/open/open-store.ts'
import { isConnectorError, isNodeAway } from '../../errors.ts'
import type { ServiceSettings } from '../../service/settings.ts'
import type { Store } from '../../service/store/store.ts'
import { requireKeys } from '../../service/vault/rotate-keys.ts'
import { pendingOfCopies } from '../copies-place.ts'
import { hasEmbeddedStore, openKeys, placeOf } from '../data-place.ts'
import { type Finding, findingsOf } from './finding.ts'

const STORE = findingsOf('store')
const SCHEMA = findingsOf('schema')
const CLOCK = findingsOf('clock')
const KEYS = findingsOf('keys')

/** Opens the store, which services may use meanwhile, and changes nothing in it. */
export async function lookAtStore(settings: ServiceSettings): Promise<readonly Finding[]> {
  if (settings.databaseUrl === null && !hasEmbeddedStore(settings.data)) {
    return [
      STORE.ok(`there is none in ${settings.data} yet; the first start makes it`),
      ...(await lookAtKeys(settings, null)),
    ]
  }
  try {
    await using opened = new AsyncDisposableStack()
    const opening = openStore(placeOf(settings), { migrate: false })
    const store = opened.adopt(await opening, (open) => open.close())
    return await lookAtOpenStore(store, settings)
  } catch (error) {
    return [notReachable(settings, error)]
  }
}

async function lookAtOpenStore(
  store: Store,
  settings: ServiceSettings,
): Promise<readonly Finding[]> {
  const reached = STORE.ok(`${nameOf(settings)} answers`)
  const behind = await store.migrations.pending()
  if (behind === store.migrations.steps && settings.migrate)
    return [reached, SCHEMA.ok('the store is empty; the first start makes its schema')]
  const pending = behind + (await pendingOfCopies(settings))
  if (pending > 0) {
    const message = `the schema is ${pending} steps behind this version`
    const remedy = 'run tenon backup, then tenon migrate'
    return [
      reached,
      settings.migrate
        ? SCHEMA.warn(`${message}; the next start brings it up to date`, remedy)
        : SCHEMA.fail(`${message}, and TENON_MIGRATE=0 leaves it so`, remedy),
    ]
  }
  return [
    reached,
    SCHEMA.ok('the schema is up to date'),
    judgeClocks(await differenceMs(store)),
    ...(await lookAtKeys(settings, store)),
  ]
}

function nameOf({ databaseUrl, data }: ServiceSettings): string {
  if (databaseUrl === null) return `the embedded store in ${data}`
  const url = URL.parse(databaseUrl)
  return url === null ? 'PostgreSQL' : `PostgreSQL at ${url.host}${url.pathname}`
}

function notReachable(settings: ServiceSettings, error: unknown): Finding {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : null
  const why = error instanceof Error ? error.message : String(error)
  return STORE.fail(
    `${nameOf(settings)}: ${why}${cause === null ? '' : ` (${cause})`}`,
    remedyOf(settings, error),
  )
}

function remedyOf({ databaseUrl }: ServiceSettings, error: unknown): string {
  if (isConnectorError(error) && 'schema' in error.details)
    return 'install the newer version of Tenon, or restore a backup from before it'
  if (isNodeAway(error))
    return 'start that node, or let its standby take its place: the runbook, "Lose a worker of Citus"'
  return databaseUrl === null
    ? 'look at the folder of TENON_DATA and at the disk'
    : 'check DATABASE_URL, the network and that the database runs'
}

/** By how much the clock of the store is ahead of ours. */
async function differenceMs(store: Store): Promise<number> {
  const before = Date.now()
  const there = await timeOf(store)
  return there - (before + Date.now()) / 2
}

const NOTICEABLE_MS = 5000
/** Consents live for 600 seconds and tokens for 900, by the clock of the process that made them. */
const HARMFUL_MS = 60_000

export function judgeClocks(differenceMs: number): Finding {
  const seconds = Math.abs(differenceMs) / 1000
  if (Math.abs(differenceMs) < NOTICEABLE_MS)
    return CLOCK.ok(`this machine and the store agree within ${Math.ceil(seconds)} s`)
  const message = `this machine is ${seconds.toFixed(0)} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the store`
  const remedy = 'synchronize the clocks of both (NTP): lives of tokens and consents depend on them'
  return Math.abs(differenceMs) < HARMFUL_MS
    ? CLOCK.warn(message, remedy)
    : CLOCK.fail(message, remedy)
}

/** The master keys; with null there is no store yet whose data they could seal. */
async function lookAtKeys(
  settings: ServiceSettings,
  store: Store | null,
): Promise<readonly Finding[]> {
  const { databaseUrl, masterKeys, data } = settings
  const counts = (await store?.dataKeys.countByKey()) ?? {}
  const used = Object.keys(counts)
  const hasFile = databaseUrl === null && existsSync(join(data, KEY_FILE))
  if (masterKeys === null && !hasFile) {
    if (used.length === 0 && databaseUrl === null)
      return [KEYS.ok(`the first start makes ${KEY_FILE} in ${data}`)]
    const missing = `${databaseUrl === null ? KEY_FILE : 'TENON_MASTER_KEYS'} is missing`
    return [
      used.length === 0
        ? KEYS.fail(missing, 'tenon keys generate makes a key for TENON_MASTER_KEYS')
        : KEYS.fail(
            `${missing}, and credentials are sealed under ${used.join(', ')}`,
            'give the key that was used before: without it these credentials are lost',
          ),
    ]
  }
  try {
    await using opened = new AsyncDisposableStack()
    const keys = await openKeys(settings, opened)
    if (store === null) return [KEYS.ok(`${keys.keyIds.join(', ')}: nothing is sealed yet`)]
    await requireKeys(store.dataKeys, keys)
    return keys.keyIds.map((id) => {
      const count = counts[id] ?? 0
      if (id === keys.currentKeyId) return KEYS.ok(`${id} is current, ${count} data keys`)
      // A version of a key in a transit engine: the settings name the key.
      if (count === 0 && id.includes(':')) return KEYS.ok(`${id} wraps no data key`)
      return count === 0
        ? KEYS.warn(`${id} is not used any more`, 'take it out of TENON_MASTER_KEYS')
        : KEYS.warn(`${id} still wraps ${count} data keys`, 'run tenon keys rotate')
    })
  } catch (error) {
    // What the master keys say of themselves has the way out in it.
    if (!isConnectorError(error, 'config_invalid')) throw error
    return [KEYS.fail(error.message, 'docs/operation.md, "Credentials and keys"')]
  }
}
