// A look at an installation before a service starts or while it runs: everything that would keep it from working.
import { readEnvironment, type Environment } from '../../service/environment.ts'
import type { Finding } from './finding.ts'
import { lookAtDisk, lookAtFolder } from './look-at-folder.ts'
import { lookAtManifests } from './look-at-manifests.ts'
import { lookAtNode, lookAtPublicUrl, lookAtSettings } from './look-at-settings.ts'
import { lookAtStore } from './look-at-store.ts'

export interface DoctorOptions {
  readonly environment: Environment
  /** A YAML file with settings; the environment wins. */
  readonly configFile?: string
}

/**
 * Looks at everything and changes nothing. Settings that are wrong do not keep it from looking at the rest, with the
 * defaults in their place.
 */
export async function diagnose(options: DoctorOptions): Promise<readonly Finding[]> {
  const { environment, configFile } = options
  const { settings, mistakes } = readEnvironment(
    environment,
    configFile === undefined ? {} : { configFile },
  )
  return [
    lookAtNode(process.versions.node),
    ...lookAtSettings(settings, mistakes),
    lookAtPublicUrl(settings),
    // The database has a machine of its own.
    ...(settings.databaseUrl === null
      ? [...(await lookAtFolder(settings.data)), await lookAtDisk(settings.data)]
      : []),
    ...(await lookAtStore(settings)),
    ...(await lookAtManifests(settings)),
  ]
}
