// Filters for records that a vendor cannot filter.
import { compileExpression, isTrue } from '../../language/expression/evaluate.ts'
import { ownAt } from '../../language/json/members.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { Json } from '../../language/json/json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

type Keeps = (record: Json) => boolean

/**
 * Compiles `where` and `keep` to what one call keeps; null when it keeps everything. A parameter that was not given
 * filters nothing; a list keeps what equals one of its entries; a record path with `[*]` keeps a record any of whose
 * values fits. Throws ValueError from `keep`.
 */
export function compileFilter({
  where,
  keep,
}: Pick<ResponseRules, 'where' | 'keep'>): (scope: Scope) => Keeps | null {
  const conditions = where.map(({ record, param }) => ({
    param,
    pick: compileBodyPath(record),
    many: record.steps.some(({ kind }) => kind === 'all'),
  }))
  const isKept = keep === null ? null : compileExpression(keep)
  if (conditions.length === 0 && isKept === null) return () => null
  return (scope) => {
    const active = conditions.flatMap(({ param, pick, many }) => {
      const wanted = ownAt(scope.params, param)
      if (wanted === undefined) return []
      const fits = compileWanted(wanted)
      return [(record: Json): boolean => fitsRecord(pick(record), many, fits)]
    })
    if (isKept !== null) active.push((record) => isTrue(isKept({ ...scope, record })))
    return active.length === 0 ? null : (record) => active.every((keeps) => keeps(record))
  }
}

function fitsRecord(value: Json | undefined, many: boolean, fits: Keeps): boolean {
  if (value === undefined) return false
  return many && Array.isArray(value) ? value.some(fits) : fits(value)
}

function compileWanted(wanted: Json): Keeps {
  if (!Array.isArray(wanted)) return (value) => jsonEqual(value, wanted)
  // Ids are texts, and there may be many of them for each of many records.
  const texts = new Set(wanted.filter((entry) => typeof entry === 'string'))
  const others = wanted.filter((entry) => typeof entry !== 'string')
  return (value) =>
    typeof value === 'string' ? texts.has(value) : others.some((entry) => jsonEqual(value, entry))
}
