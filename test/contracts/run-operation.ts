// Runs one operation of a shipped manifest against a scripted third party.
import { readFileSync } from 'node:fs'
import { connect } from '../../src/client/connect.ts'
import { Download } from '../../src/client/download.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { loadManifest } from '../../src/language/manifest/load.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import type { Connection } from './case-file.ts'
import { createPatientClock, type ScriptedUpstream } from './scripted-upstream.ts'

/** A manifest of the project; its problems are thrown, so that a broken one fails every suite. */
export function readShippedManifest(type: string): Manifest {
  const file = `manifests/${type}.yaml`
  const { manifest, problems } = loadManifest({ text: readFileSync(file, 'utf8'), file })
  if (manifest === null) throw new Error(JSON.stringify(problems, null, 2))
  return manifest
}

/** The envelope as plain data, or the download. */
export async function runOperation(
  manifest: Manifest,
  operation: string,
  params: JsonObject | undefined,
  connection: Pick<Connection, 'credentials' | 'config'>,
  upstream: ScriptedUpstream,
): Promise<unknown> {
  const { credentials, config } = connection
  await using client = await connect(manifest, {
    credentials,
    ...(config === undefined ? {} : { config }),
    transport: upstream.transport,
    clock: createPatientClock(),
    onCredentials: () => {},
  })
  const [entity = '', action = ''] = operation.split('.')
  const answer: unknown = await client.execute(entity, action, params)
  return answer instanceof Download ? answer : (JSON.parse(JSON.stringify(answer)) as unknown)
}
