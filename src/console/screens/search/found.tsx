// What is known of a page of hits: how fresh, how it was found, and which values its short fields have.
import { type ReactNode, useMemo } from 'react'
import type { SearchAnswer } from '../../api/answers.ts'
import type { Json, JsonObject } from '../../api/json-text.ts'
import { textOf } from '../../form/field-text.ts'
import { Button } from '../../parts/controls.tsx'
import { Time } from '../../parts/values.tsx'
import { valueAt } from '../../../display/record-columns.ts'

export function Freshness(props: {
  readonly answer: SearchAnswer
  readonly at: number
  /** Whether there are words or conditions. */
  readonly isNarrowed: boolean
}): ReactNode {
  const { hits, took_ms: tookMs, replica, explain, next_cursor: cursor } = props.answer
  // How many there are is known where all of them are on this page.
  const shown =
    props.at === 0 && cursor === null
      ? `${hits.length} found`
      : `Page ${props.at + 1} · ${hits.length} records`
  return (
    <>
      <p role="status">
        {shown} · {replica.records.toLocaleString('en')} in the copy · {tookMs.toFixed(1)} ms · as
        of <Time at={replica.synced_at} />{' '}
        {replica.stale ? <span className="badge bad">stale</span> : null}
        {replica.complete ? null : (
          <span className="badge wait">
            {replica.synced_at === null ? 'still filling' : 'not whole'}
          </span>
        )}
        {replica.ranked ? null : (
          <span className="badge wait">latest arrival first, not ranked</span>
        )}
      </p>
      {explain === undefined || hits.length === 0 ? null : (
        <p className="fine plan">{planWords(explain, props.isNarrowed)}</p>
      )}
    </>
  )
}

type Plan = NonNullable<SearchAnswer['explain']>

const ORDERS: Readonly<Record<Plan['order'], string>> = {
  sort: 'In the order that was asked for',
  score: 'The best match first',
  newest: 'What came into the copy last is first',
}

/** What a reader wants to know first, and how it was done behind it. */
function planWords({ by, fields, order, chosen, compared }: Plan, isNarrowed: boolean): string {
  const named = fields.join(', ')
  const read = `${compared.toLocaleString('en')} records were read and compared`
  const begun: Readonly<Record<Plan['by'], string>> = {
    fields:
      fields.length > 1
        ? `Found by indexes on ${named}; ${chosen === 'counts' ? 'the smallest leads' : 'the database chooses which one leads'}`
        : `Found by the index on ${named}`,
    words: 'Found by the index of words',
    text_parts: 'Found by the index of parts of texts',
    each_part: 'Found by an index for each part',
    nothing: 'No index narrows these conditions',
  }
  const way = !isNarrowed
    ? 'All records were asked for'
    : compared > 0
      ? `${begun[by]}; ${read}`
      : begun[by]
  return `${ORDERS[order]}. ${way}.`
}

const MAX_VALUES = 8
const MAX_FACETS = 4
const MAX_LETTERS = 30

/** Short fields with few values, of the hits of this page: counting all would cost a search each. */
export function Facets(props: {
  readonly records: readonly JsonObject[]
  /** Whether these are all hits that there are. */
  readonly areAll: boolean
  readonly names: readonly string[]
  readonly choose: (field: string, value: string) => void
}): ReactNode {
  const { records, areAll, names } = props
  const of = areAll ? `of all ${records.length} found` : `of the ${records.length} shown`
  const facets = useMemo(() => facetsOf(records, names), [records, names])
  if (facets.length === 0) return null
  return (
    <div className="line facets" role="group" aria-label={`Values ${of}`}>
      <span className="fine">Values {of}:</span>
      {facets.map(({ name, counts }) => (
        <p key={name} className="line">
          <code>{name}</code>{' '}
          {counts.map(([value, count]) => (
            <Button
              key={value}
              className="small"
              aria-label={`${name} equals ${value}, ${count} ${of}`}
              onClick={() => props.choose(name, value)}
            >
              {value} <span className="fine">{count}</span>
            </Button>
          ))}
        </p>
      ))}
    </div>
  )
}

function facetsOf(records: readonly JsonObject[], names: readonly string[]) {
  return names
    .flatMap((name) => {
      const values = records.flatMap((record) => shortText(valueAt(record, name.split('.'))))
      const counts = new Map<string, number>()
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
      const isFacet =
        counts.size > 1 && counts.size <= MAX_VALUES && counts.size <= values.length / 2
      return isFacet ? [{ name, counts: [...counts].toSorted((a, b) => b[1] - a[1]) }] : []
    })
    .slice(0, MAX_FACETS)
}

function shortText(value: Json | undefined): readonly string[] {
  const text = typeof value === 'object' ? '' : textOf(value)
  return text === '' || text.length > MAX_LETTERS ? [] : [text]
}
