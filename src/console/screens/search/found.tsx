// What is known of a page of hits: how fresh, how it was found, and which values its short fields have.
import { type ReactNode, useMemo } from 'react'
import type { Instance, SearchAnswer, SyncStatus } from '../../api/answers.ts'
import { type Json, type JsonObject, objectIn, writeJson } from '../../api/json-text.ts'
import { textOf } from '../../form/field-text.ts'
import { Button } from '../../parts/controls.tsx'
import type { NamesAt } from '../../parts/record-names.ts'
import { Time } from '../../parts/values.tsx'
import { NotKeptUp } from './not-kept-up.tsx'

export function Freshness(props: {
  readonly answer: SearchAnswer
  readonly at: number
  /** Null: not known yet. */
  readonly counted: Counted | null
  /** The params of the search. */
  readonly asked: JsonObject
  /** The date by which hits are sorted where nothing else is said; null: they have none. */
  readonly latest: string | null
  /** Whether there are words and no other conditions. */
  readonly hasWordsAlone: boolean
  readonly instance: Instance
  /** As it is now; null: not known. */
  readonly copy: SyncStatus | null
  readonly again: () => void
}): ReactNode {
  const { filter, sort } = objectIn(props.asked['query'])
  const { hits, took_ms: tookMs, replica, explain, next_cursor: cursor } = props.answer
  // How many there are is known where all of them are on this page, or once they were counted.
  const isAll = props.at === 0 && cursor === null
  const page = isAll ? null : `Page ${props.at + 1} · ${hits.length} records`
  const found = isAll
    ? `${hits.length} found`
    : props.counted?.whole === true
      ? `${props.counted.counted.toLocaleString('en')} found`
      : null
  const isOld = isReadSince(props.copy, replica.synced_at)
  const shown = [found, page].filter((each) => each !== null).join(' · ')
  return (
    <>
      <p role="status">
        {shown} · {replica.records.toLocaleString('en')} in the copy · {tookMs.toFixed(1)} ms{' '}
        {replica.synced_at === null ? null : (
          <>
            · as of <Time at={replica.synced_at} />{' '}
          </>
        )}
        {isOld ? (
          <>
            · the copy has been read since{' '}
            <Button className="small" needs="operations" onClick={props.again}>
              Search again
            </Button>
          </>
        ) : null}
        {replica.stale && !isOld && replica.synced_at !== null ? (
          <span className="badge bad">stale</span>
        ) : null}
        {replica.complete ? null : (
          <span className="badge wait">
            {replica.synced_at === null ? 'still filling' : 'not whole'}
          </span>
        )}
        {replica.ranked ? null : (
          <span className="badge wait">latest arrival first, not ranked</span>
        )}
      </p>
      <NotKeptUp instance={props.instance} of={props.copy} />
      {explain === undefined || hits.length === 0 ? null : (
        <p className="fine plan">
          {orderWords(explain, sort, props.latest)}.{' '}
          {filter === undefined
            ? 'All records were asked for'
            : wayWords(explain, props.hasWordsAlone)}
          .
        </p>
      )}
    </>
  )
}

/** Whether the copy is younger by now than these hits. */
function isReadSince(copy: SyncStatus | null, at: string | null): boolean {
  const now = copy?.last_synced_at ?? null
  if (now === null) return false
  return at === null || Date.parse(now) > Date.parse(at)
}

type Plan = NonNullable<SearchAnswer['explain']>

/** What a reader wants to know first. */
function orderWords({ order }: Plan, sort: Json | undefined, latest: string | null): string {
  if (order === 'score') return 'The best match first'
  if (order === 'newest') return 'What came into the copy last is first'
  return latest !== null && writeJson(sort ?? null) === writeJson([{ [latest]: 'desc' }])
    ? `The latest first, by ${latest}`
    : 'In the order that was asked for'
}

/** How it was done. */
function wayWords({ by, fields, chosen, compared }: Plan, hasWordsAlone: boolean): string {
  const named = fields.join(', ')
  const read = `${compared.toLocaleString('en')} records were read and compared`
  const begun: Readonly<Record<Plan['by'], string>> = {
    fields:
      fields.length > 1
        ? `Found by indexes on ${named}; ${chosen === 'counts' ? 'the smallest leads' : 'the database chooses which one leads'}`
        : `Found by the index on ${named}`,
    words: 'Found by the index of words',
    text_parts: 'Found by the index of parts of texts',
    each_part: hasWordsAlone
      ? 'Each field was looked up in the index of words'
      : 'Each of the alternatives was looked up in an index',
    nothing: 'The records were gone through in this order',
  }
  return compared > 0 ? `${begun[by]}; ${read}` : begun[by]
}

const MAX_VALUES = 8
const MAX_FACETS = 4
const MAX_LETTERS = 30

export type Counted = NonNullable<SearchAnswer['facets']>

/** Short fields with few values, and how many hits have each. */
export function Facets(props: {
  readonly counted: Counted
  /** What the records are called that values name. */
  readonly names: NamesAt
  readonly choose: (field: string, value: string) => void
}): ReactNode {
  const { counted, names } = props
  const facets = useMemo(() => facetsOf(counted), [counted])
  if (facets.length === 0) return null
  const number = counted.counted.toLocaleString('en')
  const of = counted.whole ? `of all ${number} found` : `of the newest ${number} found`
  return (
    <div className="line facets" role="group" aria-label={`Values ${of}`}>
      <span className="fine">Values {of}:</span>
      {facets.map(({ name, values }) => (
        <p key={name} className="line">
          <code>{name}</code>{' '}
          {values.map(({ value, count }) => {
            const words = names(name.split('.'))?.(value)?.words
            return (
              <Button
                key={value}
                className="small"
                title={words === undefined ? undefined : value}
                aria-label={`${name} equals ${words ?? value}, ${count} ${of}`}
                onClick={() => props.choose(name, value)}
              >
                {words ?? value} <span className="fine">{count.toLocaleString('en')}</span>
              </Button>
            )
          })}
        </p>
      ))}
    </div>
  )
}

function facetsOf({ fields }: Counted) {
  return Object.entries(fields)
    .flatMap(([name, { values: found, more }]) => {
      const values = found.map(({ value, count }) => ({ value: textOf(value), count }))
      const total = values.reduce((sum, { count }) => sum + count, 0)
      const isFacet =
        !more &&
        values.length > 1 &&
        values.length <= Math.min(MAX_VALUES, total / 2) &&
        values.every(({ value }) => value !== '' && value.length <= MAX_LETTERS)
      return isFacet ? [{ name, values }] : []
    })
    .slice(0, MAX_FACETS)
}
