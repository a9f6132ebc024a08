// Events as they go over the wire.

/** What can have happened. Public: never renamed, only added. */
export type EventType =
  | 'connector.created'
  | 'connector.updated'
  | 'connector.auth_error'
  | 'connector.reauthorized'
  | 'connector.deleted'
  | 'sync.progress'
  | 'sync.completed'
  | 'sync.failed'
  | 'sync.suspicious'
  | 'records.changed'
  | 'vendor.event'

/** Every type, with what it means. */
export const EVENT_TYPES: Readonly<Record<EventType, string>> = {
  'connector.created': 'An instance was made.',
  'connector.updated': 'Its state, settings or credentials are others than before.',
  'connector.auth_error': 'The third party refuses its credentials; the user has to connect again.',
  'connector.reauthorized': 'It works again, for the first time after connector.auth_error.',
  'connector.deleted': 'It is gone, and so are its credentials.',
  'sync.progress': 'A sync of an entity is under way for a while: how far it has come.',
  'sync.completed':
    'A sync of an entity came to its end, and was the first, was complete or changed something.',
  'sync.failed': 'A sync of an entity failed; repetitions are not told.',
  'sync.suspicious':
    'A sync removed nothing: too many records are missing, a listing ended where there may be more, or it had no end.',
  'records.changed': 'Records of the synchronized copy are others than before.',
  'vendor.event': 'A webhook of the vendor arrived for an instance.',
}

/** An event as a receiver gets it. */
export interface WebhookEvent {
  /** The same in every attempt and every redelivery: an event that was seen before can be skipped. */
  readonly id: string
  /** Also types that this version does not know yet, and `webhook.test`. */
  readonly type: EventType | 'webhook.test' | (string & Record<never, never>)
  /** When it happened, RFC 3339. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}
