// What people call the accounts that a command shows by their ids.
import type { ServiceClient } from '../client/service-client.ts'

/** More than so many are not asked for: their ids are shown. */
const MAX_ASKED = 50

/** Gives the name of an account, or null where it is not known, such as of one that was deleted. */
export type NameAccount = (id: string | null) => string | null

/** Asks for the names of accounts that are not known yet, of each once. Nothing is thrown: an id says it as well. */
export function createAccountNames(
  instances: Pick<ServiceClient['instances'], 'get'>,
): (ids: readonly (string | null)[]) => Promise<NameAccount> {
  const names = new Map<string, string | null>()
  return async (ids) => {
    const wanted = [...new Set(ids)].filter((id) => id !== null && !names.has(id)) as string[]
    await Promise.all(
      wanted.slice(0, MAX_ASKED).map(async (id) => {
        names.set(
          id,
          await instances.get(id).then(
            ({ name }) => name,
            () => null,
          ),
        )
      }),
    )
    return (id) => (id === null ? null : (names.get(id) ?? null))
  }
}
