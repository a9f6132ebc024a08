// Places in the events of an organisation. They never end: a reader keeps its place for as long as it is away.
import { ConnectorError } from '../../errors.ts'

const FORM = /^e1\.(\d{1,15})$/

/** The place after an event. */
export function eventCursor(seq: number): string {
  return Buffer.from(`e1.${seq}`).toString('base64url')
}

/** The number of the event that a cursor is behind. Throws `cursor_invalid`. */
export function seqOfCursor(cursor: string): number {
  const seq = FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (seq === undefined) throw cursorRefused('the cursor was altered; start again without it')
  return Number(seq)
}

export function cursorRefused(message: string): ConnectorError {
  return new ConnectorError('cursor_invalid', message, {
    errors: [{ pointer: '/cursor', code: 'cursor', detail: 'is not a cursor of these events' }],
  })
}
