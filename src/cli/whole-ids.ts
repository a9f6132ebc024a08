// The whole ids of what a person names by a part of one, as a narrow table has it.
import type { ServiceClient } from '../client/service-client.ts'
import { isShortOf, readShortId } from '../display/short-ids.ts'
import { UsageError } from './exit-codes.ts'

/** As many are named where several fit. */
const NAMED = 5

/**
 * The id of the account that a beginning stands for, or a beginning and an end with dots between them. Any other text,
 * and one that no account has, as it is: the service says what is wrong with it. Throws UsageError where several fit.
 */
export async function wholeInstanceId(
  instances: Pick<ServiceClient['instances'], 'list'>,
  text: string,
): Promise<string> {
  return await wholeIdOf(text, async (head) => await instances.list({ starts_with: head }))
}

/** The same, where `beginning` lists those whose id begins so, maybe among others. */
export async function wholeIdOf(
  text: string,
  beginning: (
    head: string,
  ) => Promise<AsyncIterable<{ readonly id: string }> | Iterable<{ readonly id: string }>>,
): Promise<string> {
  const short = readShortId(text)
  if (short === null) return text
  const found: string[] = []
  // Names and users that begin so are listed as well.
  for await (const { id } of await beginning(short.head))
    if (isShortOf(short, id) && found.push(id) > NAMED) break
  if (found.length > 1) throw new UsageError(severalText('accounts', text, found))
  return found[0] ?? text
}

/** What is said where a short id stands for several. */
export function severalText(what: string, text: string, ids: readonly string[]): string {
  const more = ids.length > NAMED ? ', …' : ''
  return `several ${what} have the id ${text}: ${ids.slice(0, NAMED).join(', ')}${more}; give more of it`
}
