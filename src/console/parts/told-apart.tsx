// Below the name of an account that others of its user share: what tells it from those.
import type { ReactNode } from 'react'
import type { Apart } from '../../display/alike-accounts.ts'
import { plainText } from '../../display/plain-text.ts'
import './told-apart.css'
import { Time } from './values.tsx'

/** Nothing where no other account is called so. */
export function ToldApart({ by }: { readonly by: Apart | undefined }): ReactNode {
  if (by === undefined) return null
  return (
    <small className="told-apart quiet">
      {' '}
      {by.kind === 'settings' ? (
        plainText(by.words)
      ) : (
        <>
          connected <Time at={by.at} exact />
        </>
      )}
    </small>
  )
}
