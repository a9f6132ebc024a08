// What was begun or changed in this tab and is kept nowhere else: drafts, and served manifests with changes.
import type { ManifestDraft } from '../../api/answers.ts'
import { addressOf } from '../../place.tsx'

/** `report`: what a document left open; null: it was made of the template. */
export type Drafted = Pick<ManifestDraft, 'connector_type' | 'text'> & {
  readonly report: ManifestDraft['report'] | null
  /** When it was begun. */
  readonly at?: number
}

export interface KeptWork {
  readonly name: string
  /** Null: an earlier version kept it without. */
  readonly at: number | null
  readonly isDraft: boolean
  readonly to: string
  readonly discard: () => void
}

const DRAFTED = 'tenon.drafted.'
const CHANGED = 'tenon.manifest.'
const CHANGED_DRAFT = `${CHANGED}draft.`
const AT = 'tenon.changed-at.'

/** What was drafted in this tab; null: nothing. */
export function draftedAs(id: string): Drafted | null {
  const kept = window.sessionStorage.getItem(DRAFTED + id)
  return kept === null ? null : (JSON.parse(kept) as Drafted)
}

/** Keeps a draft next to those that are there, and gives its id: its type, or that with a number. */
export function keepDraft(draft: Drafted): string {
  const { connector_type: type } = draft
  let id = type
  for (let next = 2; draftedAs(id) !== null; next++) id = `${type}~${next}`
  window.sessionStorage.setItem(DRAFTED + id, JSON.stringify({ ...draft, at: Date.now() }))
  return id
}

export function discardDraft(id: string): void {
  window.sessionStorage.removeItem(DRAFTED + id)
  changedText(CHANGED_DRAFT + id).forget()
}

/** The text of a draft, or of a served type, as it was changed. */
export function changesOf(name: string, isDraft: boolean): ReturnType<typeof changedText> {
  return changedText((isDraft ? CHANGED_DRAFT : CHANGED) + name)
}

function changedText(key: string): {
  readonly text: string | null
  readonly keep: (text: string) => void
  readonly forget: () => void
} {
  const storage = window.sessionStorage
  return {
    text: storage.getItem(key),
    keep: (text) => {
      if (storage.getItem(key) === text) return
      storage.setItem(key, text)
      storage.setItem(AT + key, String(Date.now()))
    },
    forget: () => {
      storage.removeItem(key)
      storage.removeItem(AT + key)
    },
  }
}

/** All of it, the latest first. */
export function keptWork(): readonly KeptWork[] {
  const storage = window.sessionStorage
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  const timeOf = (key: string): number | null => {
    const at = storage.getItem(AT + key)
    return at === null ? null : Number(at)
  }
  const drafts = keys
    .filter((key) => key.startsWith(DRAFTED))
    .map((key): KeptWork => {
      const id = key.slice(DRAFTED.length)
      return {
        name: id.replace(/~(\d+)$/, ' ($1)'),
        at: timeOf(CHANGED_DRAFT + id) ?? draftedAs(id)?.at ?? null,
        isDraft: true,
        to: addressOf('/manifests', { draft: id }),
        discard: () => discardDraft(id),
      }
    })
  const changed = keys
    .filter((key) => key.startsWith(CHANGED) && !key.startsWith(CHANGED_DRAFT))
    .map((key): KeptWork => {
      const type = key.slice(CHANGED.length)
      return {
        name: type,
        at: timeOf(key),
        isDraft: false,
        to: addressOf('/manifests', { connector: type }),
        discard: () => changedText(key).forget(),
      }
    })
  return [...drafts, ...changed].toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
}
