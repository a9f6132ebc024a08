// A signing secret, which is shown once.
import type { ReactNode } from 'react'
import { CodeView } from '../../parts/code-view.tsx'

export function SecretOnce({ secret }: { readonly secret: string }): ReactNode {
  return (
    <>
      <div className="notice" role="status">
        <p>
          <strong>Keep this secret now; it is shown only here.</strong> Your app needs it to tell
          our deliveries from forged ones. A lost one is replaced by <em>New secret</em>.
        </p>
      </div>
      <CodeView text={secret} label="secret" />
      <h3>Receive in TypeScript</h3>
      <CodeView text={RECEIVER} label="TypeScript" language="ts" />
    </>
  )
}

const RECEIVER = `import { verifyWebhook } from 'tenon'

// headers and body as they arrived, before anything parsed the body
const event = verifyWebhook(headers, body, process.env['WEBHOOK_SECRET'] ?? '')
console.log(event.id, event.type, event.data)`
