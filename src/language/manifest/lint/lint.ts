// What every rule of the semantic lint works with: the draft, its parts in file order, and where findings go.
import type { InnerSpan } from '../../expression/parse-text.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import {
  actionsOf,
  entitiesOf,
  type ManifestDraft,
  methodsOf,
  type PlacedAction,
  type PlacedEntity,
  type PlacedMethod,
} from '../draft.ts'
import type { ManifestProblem, ProblemSeverity } from '../problem.ts'
import type { EntitySource, ManifestSource } from '../source.ts'

/** Where a finding stands. `part` is the value unless it says `key`. */
export interface Place {
  readonly at: DocumentPath
  readonly part?: 'key' | 'value'
  readonly inner?: InnerSpan | undefined
}

/** The key at a place, not its value. */
export function keyAt(...at: DocumentPath): Place {
  return { at, part: 'key' }
}

export class Lint {
  readonly draft: ManifestDraft
  readonly source: ManifestSource
  readonly entities: readonly PlacedEntity[]
  readonly actions: readonly PlacedAction[]
  readonly methods: readonly PlacedMethod[]
  readonly problems: ManifestProblem[] = []

  constructor(draft: ManifestDraft) {
    this.draft = draft
    this.source = draft.source
    this.entities = entitiesOf(draft.source)
    this.actions = actionsOf(draft.source)
    this.methods = methodsOf(draft.source)
  }

  entity(name: string): EntitySource | undefined {
    return this.entities.find((entity) => entity.name === name)?.source
  }

  error(rule: string, place: Place, message: string, hint: string | null = null): void {
    this.#report('error', place, { rule, message, hint })
  }

  warn(rule: string, place: Place, message: string, hint: string | null = null): void {
    this.#report('warning', place, { rule, message, hint })
  }

  #report(
    severity: ProblemSeverity,
    place: Place,
    said: { readonly rule: string; readonly message: string; readonly hint: string | null },
  ): void {
    this.problems.push(problemAt(this.draft.document, { ...place, severity, ...said }))
  }
}
