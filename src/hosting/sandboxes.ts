// Local vendors for every connector of a service: everything works with no account anywhere.
import type { OAuthClient } from '../engine/credentials/token-request.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Catalogue } from '../service/catalogue.ts'
import type { ServedManifest } from './catalogue-files.ts'

export interface Sandboxes {
  /** Null: there is none for this type. */
  urlOf(type: string): string | null
  readonly oauthClients: Readonly<Record<string, OAuthClient>>
  /** What to connect with, by type. */
  readonly demo: ReadonlyMap<string, Sandbox>
  close(): Promise<void>
}

/** Starts one sandbox per connector, of the version that new instances get, each on a free port of 127.0.0.1. */
export async function startSandboxes(
  served: readonly ServedManifest[],
  catalogue: Catalogue,
): Promise<Sandboxes> {
  const { sandbox } = await import('../sandbox/open-sandbox.ts')
  const demo = new Map<string, Sandbox>()
  for (const { manifest, source } of served)
    if (catalogue.find(manifest.type) === manifest) demo.set(manifest.type, await sandbox(source))
  return {
    urlOf: (type) => demo.get(type)?.url ?? null,
    oauthClients: Object.fromEntries([...demo].map(([type, { client }]) => [type, client])),
    demo,
    async close() {
      await Promise.all([...demo.values()].map((each) => each.close()))
    },
  }
}
