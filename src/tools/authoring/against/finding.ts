// What a manifest and a vendor's document say differently.
import type { JsonObject } from '../../../language/json/json.ts'
import type { DocumentPath } from '../../../language/manifest/document.ts'

/**
 * `unknown`: the manifest has what the document has not. `missing`: the document has what the manifest has not.
 * `stale`: both know it and say different things of it. `deprecated`: the document says so, the manifest does not.
 */
export type FindingKind = 'unknown' | 'missing' | 'stale' | 'deprecated'

/** `error`: a call would fail, or a promise would not hold. `note`: more could be offered. */
export type FindingLevel = 'error' | 'warning' | 'note'

export interface Finding {
  readonly kind: FindingKind
  readonly level: FindingLevel
  /** Whose it is and what: `issues.list query.orderBy`, `issues record.key`. Two findings can share a place. */
  readonly place: string
  readonly message: string
  readonly hint: string | null
  /** Where the manifest says it, or would. */
  readonly at: DocumentPath
  /** What would stand there: a schema, `{ values }` of an enum, or `{ bound, to }`. */
  readonly suggested?: JsonObject
}

/** Collects findings; one that was told already is left out. */
export class Findings {
  readonly #all = new Map<string, Finding>()

  add(finding: Omit<Finding, 'hint'> & { readonly hint?: string | null }): void {
    const { kind, place, message } = finding
    this.#all.set(`${kind} ${place} ${message}`, { hint: null, ...finding })
  }

  all(): readonly Finding[] {
    return [...this.#all.values()]
  }
}

/** How a finding is called where a person says why the vendor is not as its document: `unknown issues record.key`. */
export function idOf({ kind, place }: Finding): string {
  return `${kind} ${place}`
}

export interface Judged {
  readonly open: readonly Finding[]
  /** Those that a person has looked at, with the reason. */
  readonly accepted: readonly (Finding & { readonly reason: string })[]
}

/** Findings without those that are accepted; an acceptance that no finding needs any more is one itself. */
export function judge(
  findings: readonly Finding[],
  differs: Readonly<Record<string, string>>,
): Judged {
  const used = new Set(findings.map(idOf))
  const spent = Object.keys(differs).filter((id) => !used.has(id))
  return {
    open: [
      ...findings.filter((one) => differs[idOf(one)] === undefined),
      ...spent.map((id): Finding => {
        const message = 'the facts accept it, and nothing differs there any more'
        return {
          kind: 'stale',
          level: 'error',
          place: id,
          message,
          hint: 'take it out of x-differs',
          at: [],
        }
      }),
    ],
    accepted: findings.flatMap((one) => {
      const reason = differs[idOf(one)]
      return reason === undefined ? [] : [{ ...one, reason }]
    }),
  }
}
