// How right drafts of public OpenAPI documents are, against a key made by hand (drafts-key.json). The documents are not
// in the project: the key says where each is to be had, and TENON_BENCH_DOCUMENTS names the folder with `github.json`,
// `stripe.json`, `asana.yaml` and so on. One that is not there is skipped with a sentence.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parse } from 'yaml'

import { OpenApiError, readOpenApi } from '../src/tools/authoring/openapi/document.ts'
import { draftManifest } from '../src/tools/authoring/openapi/draft-manifest.ts'
import { selectOperations } from '../src/tools/authoring/openapi/select-operations.ts'
import type { Line, Row } from './row.ts'

type Fact = 'paging' | 'auth' | 'ids' | 'records'
/** Facts by kind: right, and all that the key has. */
type Score = Record<Fact, { right: number; all: number }>

interface Known {
  readonly paging?: string
  readonly id?: string
  readonly records?: string
  readonly members?: readonly string[]
  readonly file?: true
}
interface Key {
  readonly from: string
  readonly auth: readonly string[]
  readonly operations: Readonly<Record<string, Known>>
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Action {
  readonly request: { readonly http: string }
  readonly params?: Schema
  readonly result?: Schema
  readonly response?: { readonly records?: string }
  readonly pagination?: { readonly type: string; readonly param: string; readonly next?: string }
}
interface Drafted {
  readonly auth: Readonly<Record<string, { readonly apply: object; readonly oauth2?: object }>>
  readonly entities: Readonly<
    Record<string, { readonly record?: Schema; readonly actions: Readonly<Record<string, Action>> }>
  >
}

export const draftsRow: Row = {
  name: 'drafts',
  about: 'facts of drafts that are right (paging, auth, ids, records) against a key made by hand',
  run() {
    const folder = process.env['TENON_BENCH_DOCUMENTS'] ?? ''
    const { documents } = JSON.parse(
      readFileSync(new URL('drafts-key.json', import.meta.url), 'utf8'),
    ) as { readonly documents: Readonly<Record<string, Key>> }
    const lines = Object.entries(documents).flatMap(([name, key]) => {
      const file = ['json', 'yaml', 'yml']
        .map((end) => join(folder, `${name}.${end}`))
        .find(existsSync)
      if (folder !== '' && file !== undefined) return [lineOf(name, scoreOf(file, key))]
      process.stderr.write(
        `drafts: ${name} is skipped: put ${key.from} as ${name}.json or ${name}.yaml into the folder that TENON_BENCH_DOCUMENTS names\n`,
      )
      return []
    })
    return Promise.resolve(lines)
  },
}

function lineOf(title: string, score: Score): Line {
  const figures = Object.entries(score).flatMap(([name, { right, all }]) => {
    const share = right / all
    const spread = { median: share, low: share, high: share }
    return all === 0
      ? []
      : [
          {
            name: `${name} ${right} of ${all}`,
            unit: '',
            must: { atLeast: 0.75 },
            goal: { atLeast: 1 },
            ...spread,
          },
        ]
  })
  return { title, unit: 'share of the facts', sides: [], figures }
}

function scoreOf(file: string, key: Key): Score {
  const document = readOpenApi(readFileSync(file, 'utf8'), file)
  const score: Score = {
    paging: { right: 0, all: 0 },
    auth: { right: 0, all: 0 },
    ids: { right: 0, all: 0 },
    records: { right: 0, all: 0 },
  }
  const count = (fact: Fact, name: string, [found, wanted]: readonly [unknown, unknown]): void => {
    score[fact].all++
    if (JSON.stringify(found) === JSON.stringify(wanted)) score[fact].right++
    else
      process.stderr.write(
        `  ${file} ${fact} of ${name}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}\n`,
      )
  }
  const wanted = Object.keys(key.operations)
  // The operations of the key, with all others under the same first words: names and records depend on them.
  const paths = [
    ...wanted,
    ...wanted.map((each) => `${each.slice(each.indexOf('/')).replace(/\/\{[^/]*$/, '')}/**`),
  ]
  const known = new Set(document.operations.map(({ method, path }) => `${method} ${path}`))
  const there = paths
    .filter((each) => known.has(each) || each.endsWith('/**'))
    .filter(
      (each) =>
        !each.endsWith('/**') ||
        document.operations.some(({ path }) => path.startsWith(each.slice(0, -2))),
    )
  let drafted: Drafted
  try {
    const operations = selectOperations(document, { paths: there, tags: [], ids: [] })
    drafted = parse(
      draftManifest(document, { type: 'draft', schema: '', operations, auth: null }).text,
    ) as Drafted
  } catch (error) {
    if (!(error instanceof OpenApiError)) throw error
    const operations = selectOperations(document, {
      paths: wanted.filter((each) => known.has(each)),
      tags: [],
      ids: [],
    })
    drafted = parse(
      draftManifest(document, { type: 'draft', schema: '', operations, auth: null }).text,
    ) as Drafted
  }
  const auth = Object.values(drafted.auth).map(({ apply, oauth2 }) =>
    oauth2 === undefined ? (Object.keys(apply)[0] ?? '').replace(/s$/, '') : 'oauth2',
  )
  count('auth', 'all', [[...new Set(auth)].toSorted(), key.auth])
  for (const [operation, facts] of Object.entries(key.operations))
    compare(operation, facts, { drafted, count })
  return score
}

interface Comparing {
  readonly drafted: Drafted
  readonly count: (fact: Fact, name: string, pair: readonly [unknown, unknown]) => void
}

function compare(operation: string, facts: Known, { drafted, count }: Comparing): void {
  const bare = (http: string): string => http.replaceAll(/\{\{ params\.([^ }]+) \}\}/g, '{$1}')
  const found = Object.values(drafted.entities)
    .flatMap(({ record, actions }) =>
      Object.entries(actions).map(([name, action]) => ({
        name,
        action,
        record: action.result ?? record,
      })),
    )
    .find(({ action }) => bare(action.request.http) === operation)
  const { action, name, record } = found ?? {}
  const { pagination, params, response } = action ?? {}
  const turned =
    pagination === undefined ? 'asks' : `${pagination.type} ${pagination.next ?? pagination.param}`
  if (facts.paging !== undefined) count('paging', operation, [turned, facts.paging])
  if (facts.id !== undefined) {
    const [id = ''] = facts.id.split(' ')
    count('ids', operation, [
      `${id} ${[params?.properties?.[id]?.type].flat().join(',')}`,
      facts.id,
    ])
  }
  if (facts.file === true) count('records', operation, [name, 'download'])
  if (facts.records !== undefined) count('records', operation, [response?.records, facts.records])
  const members = Object.keys(record?.properties ?? {})
  if (facts.members !== undefined)
    count('records', operation, [
      facts.members.filter((each) => members.includes(each)),
      facts.members,
    ])
}
