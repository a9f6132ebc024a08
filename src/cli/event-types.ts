// Types of events on a command line.
import { didYouMean } from '../language/manifest/suggest.ts'
import { EVENT_TYPES, type EventType } from '../client/webhooks/event.ts'
import { UsageError } from './exit-codes.ts'

/** `sync.failed,connector.auth_error`. Throws UsageError for one that is none. */
export function eventTypesIn(text: string): readonly EventType[] {
  const known = Object.keys(EVENT_TYPES)
  return text.split(',').map((part) => {
    const name = part.trim()
    // Its keys are all types.
    if (Object.hasOwn(EVENT_TYPES, name)) return name as EventType
    throw new UsageError(
      `"${name}" is no type of event${didYouMean(name, known)}; there is ${known.join(', ')}`,
    )
  })
}
