// `tenon manifests`: versions of connectors that a running service has published.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PublishedResult } from '../client/service-bodies.ts'
import { CHANGE_WORDS } from '../display/change-classes.ts'
import { type Configure, family, jsonLines, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { askService } from './running-service.ts'
import type { Result } from './terminal.ts'

export const docs = 'operation#publishing-manifests'
export { SERVICE_NOTES as notes } from './running-service.ts'

export const examples: readonly string[] = [
  'tenon manifests publish acme.yaml --dry-run',
  'tenon manifests publish acme.yaml --note "customers have a city"',
  'tenon manifests versions acme',
  'tenon manifests show acme 1.1.0',
  'tenon manifests rollback acme 1.1.0 --accept-breaking',
  'tenon manifests unpublish acme 1.1.0',
]

const CHOICES = {
  '--accept-breaking': 'although running instances lose what callers rely on',
  '--dry-run': 'say what would become of it, and change nothing',
} as const

const VERSION = { '<type>': 'of the connector', '<version>': 'one that was published' } as const

const publish = askService({
  arguments: { '<file>': 'a manifest' },
  options: { '--note <text>': 'what is new, for people', ...CHOICES },
  async run({ manifests }, { file, note, ...choices }, { folder }) {
    const text = await readFile(resolve(folder, file), 'utf8').catch(() => {
      throw new UsageError(`there is no file ${file}`)
    })
    return shown(
      await manifests.publish(text, { ...choices, ...(note === undefined ? {} : { note }) }),
      'published',
    )
  },
})

const versions = askService({
  arguments: { '[type]': 'of the connector; default: all' },
  options: {
    '--limit <n>': { text: 'at most this many', default: 50, parse: wholeNumber },
    ...jsonLines('version'),
  },
  async run({ manifests }, { type, limit }) {
    const filter = type === undefined ? {} : { connector_type: type }
    const value = await manifests.versions(filter).toArray({ limit })
    const table = value.map((each) => ({
      connector: each.connector_type,
      version: each.version,
      state: each.served ? 'served' : each.current ? `hidden: ${each.hidden_by ?? ''}` : '',
      published: each.published_at,
      by: each.published_by,
      note: each.note,
    }))
    return { value, shown: table, none: 'nothing was published; tenon manifests publish does it\n' }
  },
})

const show = askService({
  arguments: VERSION,
  async run({ manifests }, { type, version }) {
    const value = await manifests.get(type, version)
    return { value, shown: value.text }
  },
})

const rollback = askService({
  arguments: VERSION,
  options: CHOICES,
  run: async ({ manifests }, { type, version, ...choices }) =>
    shown(await manifests.rollBack(type, version, choices), 'current again'),
})

const unpublish = askService({
  arguments: VERSION,
  options: CHOICES,
  run: async ({ manifests }, { type, version, ...choices }) =>
    shown(await manifests.unpublish(type, version, choices), 'no longer published'),
})

/** What was done, or would be, in sentences. */
function shown(value: PublishedResult, what: string): Result {
  const { connector_type: type, version, dry_run: isTrial, changes, after, instances } = value
  const isRefused = value.refusals.length > 0
  const lines = [
    `${type} ${version}: ${isTrial ? (isRefused ? 'would be refused' : `would be ${what}`) : what}`,
    ...(changes?.changes ?? []).map(
      (each) => `  ${CHANGE_WORDS[each.class].padEnd(8)}  ${each.path}: ${each.change}`,
    ),
    ...(changes === null
      ? []
      : [`${changes.from} → ${changes.to}: the changes ask for ${stepOf(changes.needed)}`]),
    after === null
      ? 'no manifest of this major is served'
      : `instances of this major (${instances ?? 'unknown'}) run by ${after.origin} ${after.version}`,
    ...value.warnings.map((warning) => `note: ${warning}`),
    ...value.refusals.map(({ detail }) => `refused: ${detail}`),
  ]
  return {
    value,
    shown: `${lines.join('\n')}\n`,
    code: isRefused ? EXIT.failed : EXIT.done,
  }
}

function stepOf(needed: string): string {
  return needed === 'none' ? 'no step' : `a ${needed} step`
}

export const configure: Configure = family({
  publish: ['publish a version, which is served at once', publish],
  versions: ['list what was published, the newest first', versions],
  show: ['print the text of a published version', show],
  rollback: ['make an earlier version the current one of its major', rollback],
  unpublish: ['end the serving of a current version', unpublish],
})
