// The ways in which a user can connect an account.
import type { AuthMethod, Manifest } from '../manifest.ts'
import { consentOf, offeredConsents } from './consent.ts'

/** One way to connect: by agreeing at the third party, or by a form with credentials. */
export interface Way {
  readonly kind: 'consent' | 'form'
  /** null: the connector takes no credentials. */
  readonly method: AuthMethod | null
  readonly name: string
  /** What tells it from the other ways of its kind, in the manifest's words; null: nothing has to. */
  readonly detail: string | null
}

/**
 * The ways of a connector, consents first. Pasting tokens of a method that has a consent is offered only where there is
 * no other way: nobody but an administrator has them.
 */
export function waysOf(manifest: Manifest, hasOAuthClient: boolean): readonly Way[] {
  if (manifest.auth.length === 0)
    return [{ kind: 'form', method: null, name: 'none', detail: manifest.title }]
  const plain = manifest.auth.filter((method) => consentOf(method) === null)
  const consents = hasOAuthClient ? offeredConsents(manifest) : []
  const forms = consents.length === 0 && plain.length === 0 ? manifest.auth : plain
  return [
    ...consents.map((method): Way => ({
      kind: 'consent',
      method,
      name: method.name,
      detail: consents.length === 1 ? null : titleOf(method),
    })),
    ...forms.map((method): Way => ({
      kind: 'form',
      method,
      name: method.name,
      detail: titleOf(method),
    })),
  ]
}

function titleOf({ title, name }: AuthMethod): string {
  return title ?? name.replaceAll('_', ' ')
}
