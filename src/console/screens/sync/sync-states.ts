// The states of a synchronized copy, in a word and in a sentence.
import type { SyncStatus } from '../../api/answers.ts'

export const SYNC_STATES: Readonly<
  Record<
    SyncStatus['state'],
    { readonly label: string; readonly tone: string; readonly words: string }
  >
> = {
  initial: {
    label: 'First reading',
    tone: 'wait',
    words: 'The first reading is not finished; what is there can be searched.',
  },
  ready: { label: 'Ready', tone: 'good', words: 'Complete, and kept up to date.' },
  error: { label: 'Failing', tone: 'bad', words: 'The last run failed; it is tried again.' },
  suspicious: {
    label: 'Suspicious',
    tone: 'bad',
    words:
      'The last listing lacked many records. They are kept until a second listing confirms that they are gone.',
  },
  paused: { label: 'Paused', tone: 'off', words: 'Not synchronized at present.' },
}

/** In place of the sentence of `suspicious` where something else than missing records is the reason. */
export const OTHER_REASONS: Readonly<Record<string, string>> = {
  unsaid_end:
    'The last listing ended with its first page, and nothing in the answer said that there are no more. No record was removed.',
  bound_met:
    'A run read as much as it may before its listing ended. What it read is kept, and no record was removed.',
}

/** In place of the sentence where the copy is not known to have everything. */
export const WITH_GAPS = 'Read as a whole once, but not known to have every record.'
