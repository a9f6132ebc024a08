// Whether an endpoint gets anything.
import type { ReactNode } from 'react'
import type { Webhook } from '../../api/answers.ts'

export function WebhookBadge({ webhook }: { readonly webhook: Webhook }): ReactNode {
  if (webhook.enabled) return <span className="badge good">Enabled</span>
  return webhook.disabled_reason === 'gone' ? (
    <span className="badge bad">Gone</span>
  ) : (
    <span className="badge off">Disabled</span>
  )
}
