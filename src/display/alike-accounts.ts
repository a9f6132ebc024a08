// Accounts of one connector, user and name: what tells them apart.

interface Account {
  readonly id: string
  readonly connector_type: string
  readonly external_user_id: string
  readonly name: string
  readonly server_url?: string
  readonly config: { readonly [name: string]: unknown }
  readonly created_at: string
}

/** Of an account that is one of several alike: the settings that differ, else when it was connected. */
export type Apart =
  | { readonly kind: 'settings'; readonly words: string }
  | { readonly kind: 'connected'; readonly at: string }

/** By the ids of accounts; one that no other is like has no entry. */
export function toldApart(accounts: readonly Account[]): ReadonlyMap<string, Apart> {
  const groups = Map.groupBy(accounts, ({ connector_type: type, external_user_id: user, name }) =>
    JSON.stringify([type, user, name]),
  )
  const alike = [...groups.values()].filter((those) => those.length > 1)
  return new Map(alike.flatMap((those) => those.map((each) => [each.id, apart(each, those)])))
}

function apart(account: Account, those: readonly Account[]): Apart {
  const words = Object.entries(valuesOf(account))
    .filter(([name, value]) => those.some((other) => valuesOf(other)[name] !== value))
    .map(([name, value]) => `${name} ${value}`)
  if (words.length > 0) return { kind: 'settings', words: words.join(', ') }
  return { kind: 'connected', at: account.created_at }
}

/** What is short enough to be read in a line. */
function valuesOf({ config, server_url: server }: Account): Readonly<Record<string, string>> {
  const settings = Object.entries(config).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  )
  return Object.fromEntries([...settings, ...(server === undefined ? [] : [['server', server]])])
}
