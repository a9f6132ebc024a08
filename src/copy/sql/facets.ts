// How many hits a search has in all, and which values their fields have: the newest hits first, as many as bounds allow.
import { type Place, pushNegation, SEARCH_LIMITS } from '../search/filter.ts'
import { documentOf } from '../search/row.ts'
import { fieldValue, reachedValues, scalarJson } from '../search/values.ts'
import { narrow } from './filter-sql.ts'
import { walkNewest } from './newest-pages.ts'
import { type Found, Page, type PageTask } from './page.ts'
import type { SqlSteps } from './sql.ts'

/** Counting begins only while a search has taken less than this. */
const MAX_SPENT_MS = 300
/** Letters of a text that is a value among others. */
const MAX_LETTERS = 100
/** Different values of one field that are told apart. */
const MAX_DISTINCT = 1_000

/** JSON text of the counts, as the wire has them. */
export function* countValues(task: PageTask, places: readonly Place[]): SqlSteps<string> {
  const query = { ...task.query, sort: [], limit: SEARCH_LIMITS.counted, fields: null }
  const all = { ...task, query, position: null }
  const narrowed = yield* narrow(pushNegation(query.filter), all)
  const page = new Counting(all, narrowed, places)
  if (task.elapsedMs() > MAX_SPENT_MS) return page.told(false)
  const end = yield* walkNewest(page, narrowed, task.scope.nextSeq, (found) =>
    page.matches(found) ? 1 : null,
  )
  return page.told(end === null)
}

interface Values {
  readonly place: Place
  /** By the JSON text of a value. */
  readonly counts: Map<string, number>
  /** Some were not counted: they are too long, or too many. */
  isCut: boolean
}

class Counting extends Page {
  readonly #fields: readonly Values[]
  #counted = 0

  constructor(task: PageTask, narrowed: Page['narrowed'], places: readonly Place[]) {
    super(task, narrowed, null)
    this.#fields = places.map((place) => ({ place, counts: new Map(), isCut: false }))
  }

  /** The page itself is asked for by other statements. */
  override get isExact(): boolean {
    return false
  }

  override get room(): number {
    return SEARCH_LIMITS.counted - this.#counted
  }

  /** The hits are found by now: counting ends, and fails no search. */
  override requireTime(): void {}

  override add({ doc }: Found): void {
    this.#counted++
    if (this.#fields.length === 0) return
    const document = documentOf(doc)
    for (const values of this.#fields) {
      const field = this.task.scope.layout.fields[values.place.field]
      if (field === undefined) continue
      const reached = reachedValues(fieldValue(document, field), values.place.path)
      // Of a hit each value counts once.
      for (const text of new Set(reached.map(scalarJson))) if (text !== null) count(values, text)
    }
  }

  told(isWhole: boolean): string {
    const fields = this.#fields.map(({ place: { field, path }, counts, isCut }) => {
      const name = [this.task.scope.layout.fields[field]?.name ?? '', ...path].join('.')
      const ordered = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      const values = ordered
        .slice(0, SEARCH_LIMITS.facetValues)
        .map(([value, times]) => `{"value":${value},"count":${times}}`)
      const more = isCut || ordered.length > values.length
      return `${JSON.stringify(name)}:{"values":[${values.join(',')}],"more":${more}}`
    })
    return `{"counted":${this.#counted},"whole":${isWhole},"fields":{${fields.join(',')}}}`
  }
}

function count(values: Values, text: string): void {
  const { counts } = values
  const before = counts.get(text)
  if (text.length > MAX_LETTERS || (before === undefined && counts.size >= MAX_DISTINCT))
    values.isCut = true
  else counts.set(text, (before ?? 0) + 1)
}
