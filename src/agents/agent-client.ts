// What the tools of agents need of a client: the part that direct and hosted mode share.
import type { Client, EntityDescription } from '../client/client.ts'

/** Every client of `connect`, `connectHosted` and `serviceClient().connect`, typed or not. */
export interface AgentClient {
  describe(entity?: never): readonly EntityDescription[]
  execute(...args: never[]): unknown
}

/** Clients by the names that an agent knows them by: `{ jira, work: otherJira }`. */
export type AgentClients = Readonly<Record<string, AgentClient>>

/** The client as it is behind its types: each call says what it does by name. */
export function untyped(client: AgentClient): Client {
  // Typed clients narrow the names that `execute` takes; at run time they are all the same.
  return client as unknown as Client
}
