// `tenon keys`: the master keys under which credentials are sealed.
import { randomBytes } from 'node:crypto'
import { timeOf } from '../service/store/open/open-store.ts'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { ConnectorError } from '../errors.ts'
import { openKeys } from '../hosting/data-place.ts'
import { renewDataKeys, type RenewResult } from '../service/credentials/renew-data-keys.ts'
import { Vault } from '../service/vault/vault.ts'
import { rotateKeys } from '../service/vault/rotate-keys.ts'
import { auditOf, COMMAND_LINE, OPERATOR } from '../service/audit.ts'
import type { KeyProvider } from '../service/vault/key-provider.ts'
import type { Store } from '../service/store/store.ts'
import { type Configure, family, type FlagsOf, JSON_OPTION, jsonLines, leaf } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { workOnStore } from './service-settings.ts'
import { withProgress } from './progress.ts'
import type { Channel } from './terminal.ts'

export const docs = 'operation#credentials-and-keys'
export const notes = `rotate can be killed and run again. With --data-keys, give --before the time that the first run printed: then it goes on
where it was. Data keys before stay a day for cursors and answers that are sealed under them, and are removed by the
background jobs of a service.`

export const examples: readonly string[] = [
  'tenon keys generate --id k2',
  'tenon keys list',
  'TENON_MASTER_KEYS=k2:…,k1:… tenon keys rotate',
  'tenon keys rotate --data-keys',
  'tenon keys rotate --data-keys --before 2026-11-21T10:00:00Z',
]

const generate = leaf({
  options: { '--id <name>': 'its id; default: from the date', ...JSON_OPTION },
  run(given) {
    const id = given.id ?? `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
    const key = `${id}:${randomBytes(32).toString('base64')}`
    return { value: { id, key }, shown: `${key}\n` }
  },
})

const list = workOnStore({
  options: jsonLines('master key'),
  async run({ store, settings }) {
    await using opened = new AsyncDisposableStack()
    const { keyIds, currentKeyId } = await openKeys(settings, opened)
    const counts = await store.dataKeys.countByKey()
    const value = [...new Set([...keyIds, ...Object.keys(counts)])].map((id) => ({
      id,
      current: id === currentKeyId,
      given: keyIds.includes(id),
      data_keys: counts[id] ?? 0,
    }))
    const lines = value.map(
      (row) =>
        `${row.id}  ${row.data_keys} data keys${row.current ? '  current' : ''}${row.given ? '' : '  NOT GIVEN'}\n`,
    )
    const isWhole = value.every((row) => row.given || row.data_keys === 0)
    return { value, shown: lines.join(''), code: isWhole ? EXIT.done : EXIT.failed }
  },
})

const ROTATE_OPTIONS = {
  '--data-keys': 'also renew the data keys, and seal under them what lives long',
  '--before <time>': 'with --data-keys: only data keys made before; default: now',
} as const

const rotate = workOnStore({
  options: ROTATE_OPTIONS,
  async run({ store, settings }, given, { terminal: { err } }) {
    const before = timeIn(given)
    await using opened = new AsyncDisposableStack()
    const provider = await openKeys(settings, opened)
    const { [provider.currentKeyId]: _current, ...others } = await store.dataKeys.countByKey()
    const total = Object.values(others).reduce((sum, count) => sum + count, 0)
    const { rewrapped, left } = await withProgress(err, { label: 'data keys' }, (update) =>
      rotateKeys(store.dataKeys, provider, {
        onProgress: (count) => update(count, Math.max(total, count)),
      }),
    )
    const isWhole = Object.keys(left).length === 0
    const beforeMs = before ?? (await timeOf(store))
    const time = new Date(beforeMs).toISOString()
    if (given.dataKeys === true && before === null)
      err.write(`to continue after an interruption: --before ${time}\n`)
    const renewed = given.dataKeys === true ? await renew({ store, provider, beforeMs, err }) : null
    await store.audit.append(
      auditOf({ organizationId: OPERATOR, clientId: COMMAND_LINE }, null, 'keys.rotate', {
        target: provider.currentKeyId,
        outcome: isWhole ? 'done' : 'some left',
        members: renewed === null ? ['master_key'] : ['master_key', 'data_keys'],
      }),
    )
    const lines = [
      `${rewrapped} data keys wrapped again`,
      ...(renewed === null
        ? []
        : [`${renewed.renewed} data keys renewed, ${renewed.resealed} values sealed again`]),
      ...Object.entries(left).map(([id, count]) => `${count} left on "${id}"`),
      ...(isWhole ? ['the other master keys can be dropped'] : []),
    ]
    return {
      value: { rewrapped, left, ...(renewed === null ? {} : { ...renewed, before: time }) },
      shown: `${lines.join('\n')}\n`,
      code: isWhole ? EXIT.done : EXIT.failed,
    }
  },
})

/** Makes the data keys again that were made before a time; those that services make from now on are new already. */
async function renew({
  store,
  provider,
  beforeMs,
  err,
}: {
  readonly store: Store
  readonly provider: KeyProvider
  readonly beforeMs: number
  readonly err: Channel
}): Promise<RenewResult> {
  const clock = createSystemClock()
  const vault = new Vault({ provider, dataKeys: store.dataKeys, clock })
  return await withProgress(err, { label: 'data keys made' }, (update) =>
    renewDataKeys(
      { store, provider, vault },
      { beforeMs, onProgress: (count) => update(count, null) },
    ),
  )
}

export const configure: Configure = family({
  generate: ['print a new master key, to stand first in TENON_MASTER_KEYS', generate],
  list: ['show how many data keys each master key wraps', list],
  rotate: ['wrap every data key under the first master key, while services run', rotate],
})

/** Throws `config_invalid`. */
function timeIn({ before, dataKeys }: FlagsOf<typeof ROTATE_OPTIONS>): number | null {
  if (before === undefined) return null
  const time = Date.parse(before)
  if (dataKeys === true && /^\d{4}-\d\d-\d\dT/.test(before) && !Number.isNaN(time)) return time
  throw new ConnectorError(
    'config_invalid',
    dataKeys === true
      ? '--before takes a time such as 2026-11-21T10:00:00Z'
      : '--before means something with --data-keys only',
  )
}
