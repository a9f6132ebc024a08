// A ConnectorError for people: what failed, every problem at its place, and what to do.
import type { ConnectorError } from '../errors.ts'
import type { DocsLinks } from './docs-links.ts'
import type { Channel } from './terminal.ts'
import { wayOut } from './way-out.ts'

/** The first line of every error: its code, and what failed. */
export function errorHead(err: Pick<Channel, 'paint'>, code: string, title: string): string {
  return `${err.paint('red', 'error')}  ${err.paint('bold', code)}  ${title}`.trimEnd()
}

/** Lines for the error channel. */
export function describeError(
  error: ConnectorError,
  err: Pick<Channel, 'paint'>,
  docs: Pick<DocsLinks, 'toError'>,
): string {
  const lines = [errorHead(err, error.code, titleOf(error))]
  for (const { pointer, detail, allowed } of error.errors) {
    lines.push(`  ${pointer}  ${detail}`)
    const list = (allowed ?? []).map(String).join(', ')
    if (list !== '' && !error.message.includes(list))
      lines.push(err.paint('dim', `    allowed: ${list}`))
  }
  for (const { step, name, outcome } of error.steps ?? [])
    lines.push(`  step ${step} ${name}: ${outcome}`)
  if (error.upstream !== null) {
    const { status, requestId, body } = error.upstream
    const id = requestId === null ? '' : `, request ${requestId}`
    lines.push(err.paint('dim', `  third party: status ${status ?? 'none'}${id}`))
    if (body !== null && body !== '') lines.push(err.paint('dim', `  ${body}`))
  }
  if (error.outcome === 'uncertain')
    lines.push(
      isPartKnown(error)
        ? '  The change was made in part: repeat only what is missing.'
        : '  It is not known whether the change was made: look before you repeat it.',
    )
  if (error.retryAfterMs !== null)
    lines.push(`  It can be tried again in ${Math.ceil(error.retryAfterMs / 1000)} s.`)
  const way = wayOut(error.code)
  if (way !== null) lines.push(`  ${way}`)
  const { statusPage } = error.details
  if (typeof statusPage === 'string') lines.push(`  whether the third party is up: ${statusPage}`)
  lines.push(err.paint('dim', `  docs: ${docs.toError(error.code)}`))
  return `${lines.join('\n')}\n`
}

/** Whether the steps say of each request what became of it. */
function isPartKnown({ steps }: ConnectorError): boolean {
  return steps !== null && steps.every(({ outcome }) => outcome !== 'uncertain')
}

/** The message without the problems that follow it line by line. */
function titleOf({ errors, message }: ConnectorError): string {
  const [first] = errors
  if (first !== undefined && message.startsWith(`${first.pointer}: `)) return ''
  const cut = first === undefined ? -1 : message.indexOf(`: ${first.pointer}`)
  return cut === -1 ? message : message.slice(0, cut)
}
