// Local vendors for every connector of a service: everything works with no account anywhere.
import type { OAuthClient } from '../engine/credentials/token-request.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ServedManifest } from './catalogue-files.ts'

export interface Sandboxes {
  /** Null: there is none for this type. */
  urlOf(type: string): string | null
  readonly oauthClients: Readonly<Record<string, OAuthClient>>
  /** What to connect with, by type. */
  readonly demo: ReadonlyMap<string, Sandbox>
  close(): Promise<void>
}

/** Starts one sandbox per connector, each on a free port of 127.0.0.1. */
export async function startSandboxes(served: readonly ServedManifest[]): Promise<Sandboxes> {
  const { sandbox } = await import('../sandbox/open-sandbox.ts')
  const demo = new Map<string, Sandbox>()
  for (const { manifest, source } of served) demo.set(manifest.type, await sandbox(source))
  const clients = [...demo].flatMap(([type, { client }]) => [[type, client] as const])
  return {
    urlOf: (type) => demo.get(type)?.url ?? null,
    oauthClients: Object.fromEntries(clients),
    demo,
    async close() {
      await Promise.all([...demo.values()].map((each) => each.close()))
    },
  }
}
