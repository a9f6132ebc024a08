// A look at an installation before a service starts or while it runs: everything that would keep it from working.
import { PACKAGE, tooOld } from '../../../bin/node-version.js'
import { readEnvironment, type Environment } from '../../service/environment.ts'
import type { ServiceSettings } from '../../service/settings.ts'
import { type Finding, findingsOf } from './finding.ts'
import { lookAtDisk, lookAtFolder } from './look-at-folder.ts'
import { lookAtManifests } from './look-at-manifests.ts'
import { lookAtProxy } from './look-at-proxy.ts'
import { lookAtStore } from './look-at-store.ts'
import { lookAtMetrics, lookAtPackages, lookAtProbes } from './look-at-surroundings.ts'

export interface DoctorOptions {
  readonly environment: Environment
  /** A YAML file with settings; the environment wins. */
  readonly configFile?: string
}

/** Looks at everything and changes nothing. In the place of settings that are wrong it takes their defaults. */
export async function diagnose(options: DoctorOptions): Promise<readonly Finding[]> {
  const { environment, configFile } = options
  const { settings, mistakes } = readEnvironment(
    environment,
    configFile === undefined ? {} : { configFile },
  )
  const { findings, served } = await lookAtManifests(settings)
  return [
    lookAtNode(process.versions.node),
    ...lookAtSettings(settings, mistakes),
    lookAtPublicUrl(settings),
    ...lookAtPackages(settings, environment),
    ...lookAtProbes(settings, environment),
    lookAtMetrics(settings),
    // The database has a machine of its own.
    ...(settings.databaseUrl === null
      ? [...(await lookAtFolder(settings.data)), await lookAtDisk(settings.data)]
      : []),
    ...(await lookAtStore(settings)),
    ...findings,
    ...(await lookAtProxy(settings, served)),
  ]
}

const NODE = findingsOf('node')
const SETTINGS = findingsOf('settings')
const URLS = findingsOf('public url')

export function lookAtNode(version: string): Finding {
  return tooOld(PACKAGE, version) === null
    ? NODE.ok(`Node ${version}`)
    : NODE.fail(`Node ${version}`, `run Tenon with Node ${PACKAGE} or newer`)
}

export function lookAtSettings(
  { mode }: ServiceSettings,
  mistakes: readonly string[],
): readonly Finding[] {
  if (mistakes.length > 0) {
    return mistakes.map((mistake) =>
      SETTINGS.fail(mistake, 'correct it in the environment or the file of --config'),
    )
  }
  if (mode === 'production') return [SETTINGS.ok('all settings are valid')]
  return [
    SETTINGS.warn(
      `all settings are valid; the mode is ${mode}`,
      `take TENON_${mode.toUpperCase()} out before real accounts come`,
    ),
  ]
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1'])

/** Whether links that leave the service lead back to it. */
export function lookAtPublicUrl({ publicUrl, host, port }: ServiceSettings): Finding {
  const remedy = 'set TENON_PUBLIC_URL to the https address that users reach the service at'
  if (publicUrl === null) {
    const here = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    return URLS.warn(
      LOOPBACK.has(host)
        ? `links and OAuth callbacks say ${here}, which only this machine reaches`
        : `links and OAuth callbacks would say ${here}, which is no address to go to`,
      remedy,
    )
  }
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:'
    ? URLS.ok(publicUrl)
    : URLS.warn(`${publicUrl} is plain http on ${hostname}`, remedy)
}
