// Waits between attempts and between the requests of a poll: each can happen, and fits into the time there is.
import { parseDuration } from '../duration.ts'
import type { DocumentPath } from '../document.ts'
import type { RetrySource } from '../source.ts'
import { keyAt, type Lint } from './lint.ts'

/** Findings about `retry` and `poll`, wherever they stand. */
export function lintWaits(lint: Lint): void {
  lintRetry(lint, lint.source.defaults?.retry, ['defaults', 'retry'])
  for (const { at, source, operation } of lint.actions) {
    lintRetry(lint, source.retry, [...at, 'retry'])
    for (const [index, { poll, retry, name }] of (source.steps ?? []).entries()) {
      const here = [...at, 'steps', index]
      lintRetry(lint, retry, [...here, 'retry'])
      if (poll === undefined || parseDuration(poll.every) <= parseDuration(poll.timeout)) continue
      const message = `${operation} would ask once only: between two requests of "${name}" lie ${poll.every}, and ${poll.timeout} are the time in all`
      const hint =
        'every is the pause between two requests, timeout the time in all; they may have been swapped'
      lint.error('steps/poll-once', { at: [...here, 'poll', 'every'] }, message, hint)
    }
  }
}

/** Waits are tried from left to right: behind one that always holds, none is reached. */
function lintRetry(lint: Lint, retry: RetrySource | undefined, at: DocumentPath): void {
  const waits = retry?.wait ?? []
  const always = waits.findIndex(
    ({ when, exponential, constant }) =>
      when === undefined && (exponential !== undefined || constant !== undefined),
  )
  for (const [index, { exponential, max }] of waits.entries()) {
    const here = [...at, 'wait', index]
    if (always >= 0 && index > always) {
      const word = waits[always]?.constant === undefined ? 'exponential' : 'constant'
      const message = `the wait "${word}" before this one always holds`
      const hint = `what the vendor says comes first: move ${word} to the end of the list`
      lint.error('errors/wait-never-reached', keyAt(...here), message, hint)
    }
    if (exponential === undefined || max === undefined) continue
    if (parseDuration(max) >= parseDuration(exponential)) continue
    const message = `the first wait of ${exponential} is longer than the longest one, ${max}`
    const hint = `exponential is the first wait and max the longest: write a max of ${exponential} or more`
    lint.error('errors/wait-bounds', { at: [...here, 'max'] }, message, hint)
  }
}
