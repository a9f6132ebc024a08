// Clients of all packaged connectors that need no account: what they describe is all that is asked of them.
import { describeEntities } from '../../src/language/manifest/describe.ts'
import type { EntityDescription } from '../../src/client/client.ts'
import { findManifests } from '../../src/cli/manifest-files.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import type { AgentClient } from '../../src/agents/agent-tool.ts'

export interface DescribedConnector {
  readonly type: string
  readonly entities: readonly EntityDescription[]
  readonly client: AgentClient
}

/** Every manifest of the project, with a client that describes it. */
export const connectors: readonly DescribedConnector[] = await Promise.all(
  findManifests(process.cwd(), ['manifests']).map(async ({ path }) => {
    const manifest = requireManifest(await loadManifestFile(path))
    const entities = describeEntities(manifest)
    return { type: manifest.type, entities, client: describing(entities) }
  }),
)

/** A client that can describe itself and nothing else. */
export function describing(entities: readonly EntityDescription[]): AgentClient {
  return {
    describe: () => entities,
    execute: () => {
      throw new TypeError('nothing is executed here')
    },
  }
}
