// The webhook endpoints whose app has not taken the latest events: only somebody of the app can mend that.
import { Webhook as WebhookIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { All, DeliveryPage, Webhook } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useRate } from '../../api/fresh.ts'
import { WRONG } from '../../api/pace.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { notTaken, notTakenInWords } from '../webhooks/not-taken.ts'

/** Each is one question more. */
const LOOKED_AT = 5

/** Nothing where there is none, or none that is known. */
export function FailingEndpoints(): ReactNode {
  const answer = useAnswer('failing-endpoints', failingEndpoints, { isLive: true })
  const endpoints = answer.last ?? []
  useRate(endpoints.length > 0 ? WRONG : null)
  if (endpoints.length === 0) return null
  return (
    <ul className="home-list" aria-label="Webhook endpoints">
      {endpoints.map(({ webhook: { id, url }, failing, events }) => (
        <li key={id}>
          <span className="user-icon">
            <WebhookIcon size={16} aria-hidden />
          </span>
          <div>
            <Link to={addressOf(`/webhooks/${id}`)}>{plainText(url)}</Link>{' '}
            <small className="quiet">webhook</small>
            <p className="fine">
              Your app {notTakenInWords({ events })}, the last try{' '}
              <Time at={failing[0]?.last_attempt_at ?? null} />. Who acts: your app.
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

async function failingEndpoints(signal: AbortSignal) {
  const { data } = await call<All<Webhook>>('GET', '/webhooks', { signal })
  const enabled = data.filter((webhook) => webhook.enabled).slice(0, LOOKED_AT)
  const all = await Promise.all(
    enabled.map(async (webhook) => {
      const path = `/webhooks/${webhook.id}/deliveries`
      const page = await call<DeliveryPage>('GET', path, { signal })
      return { webhook, ...notTaken(page.data, page.meta.has_more) }
    }),
  )
  return all.filter(({ failing }) => failing.length > 0)
}
