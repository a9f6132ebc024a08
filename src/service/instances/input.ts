// What a body says about an instance → what can be stored: type, credentials, settings, all checked by the manifest.
import { chooseMethod, type ChosenMethod } from '../../engine/credentials/choose-method.ts'
import { resolveSettings } from '../../engine/credentials/settings.ts'
import { amendError, type ConnectorError, isConnectorError, problemError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../../language/json/members.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'

/** Credentials and settings that fit each other. */
export interface InstanceInput extends ChosenMethod {
  readonly config: JsonObject
}

/** `config` and its other name as one object; null where the other name was not used. Throws `config_invalid` where they disagree. */
export function settingsIn(body: JsonObject): {
  readonly config: JsonObject
  readonly replicationConfig: JsonObject | null
} {
  const config = objectAt(body, 'config')
  const replication = objectAt(body, 'replication_config')
  for (const [name, value] of Object.entries(replication ?? {})) {
    const other = config?.[name]
    if (other === undefined || jsonEqual(other, value)) continue
    const detail = `differs from /config/${name}; give it once`
    const pointer = `/replication_config/${name}`
    throw problemError('config_invalid', { pointer, code: 'clash', detail }, `${pointer} ${detail}`)
  }
  return { config: { ...config, ...replication }, replicationConfig: replication }
}

/**
 * Settings after a change: what is given replaces what was, member by member. Null takes a setting away, unless the
 * manifest lets it be null.
 */
export function changedConfig(
  manifest: Manifest,
  before: JsonObject,
  given: JsonObject,
): JsonObject {
  const isTaken = (name: string): boolean => {
    if (given[name] !== null) return false
    const schema = settingSchema(manifest, name)
    // What another version of the connector had goes; what none had is a mistake.
    if (schema === undefined) return Object.hasOwn(before, name)
    const { type } = schema
    return type !== undefined && ![type].flat().includes('null')
  }
  const merged = Object.entries(mergeObjects(before, given))
  return Object.fromEntries(merged.filter(([name]) => !isTaken(name)))
}

/** Settings without those that are as they are by default, which nobody needs to have chosen. */
export function otherThanDefault(manifest: Manifest, config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => {
      const usual = settingSchema(manifest, name)?.['default']
      return usual === undefined || !jsonEqual(usual, value)
    }),
  )
}

function settingSchema(manifest: Manifest, name: string): JsonObject | undefined {
  const { properties } = manifest.config.schema
  const schema = isJsonObject(properties) ? properties[name] : undefined
  return isJsonObject(schema) ? schema : undefined
}

/**
 * Checks credentials and settings of a new or changed instance by the manifest.
 * Throws `credentials_invalid`, `config_invalid`, `destination_refused`, each with all its problems.
 */
export function readInstanceInput(
  manifest: Manifest,
  given: {
    readonly credentials: JsonObject
    readonly authMethod: string | undefined
    readonly config: JsonObject
    readonly replicationConfig: JsonObject | null
    readonly serverUrl: string | null
  },
): InstanceInput {
  const chosen = chooseMethod(manifest, given.credentials, given.authMethod)
  try {
    return { ...chosen, config: resolveSettings({ ...given, ...chosen, manifest }) }
  } catch (error) {
    throw isConnectorError(error, 'config_invalid') && given.replicationConfig !== null
      ? inReplicationConfig(error, given.replicationConfig)
      : error
  }
}

/** Problems are shown under the name that the caller used for the settings. */
function inReplicationConfig(error: ConnectorError, given: JsonObject): ConnectorError {
  return amendError(error, {
    errors: error.errors.map((problem) => {
      const [, name = ''] = /^\/config\/([^/]+)/.exec(problem.pointer) ?? []
      const isTheirs = Object.hasOwn(given, name) || problem.code === 'required'
      return isTheirs
        ? { ...problem, pointer: problem.pointer.replace('/config', '/replication_config') }
        : problem
    }),
  })
}

function objectAt(body: JsonObject, name: string): JsonObject | null {
  const value = body[name]
  return isJsonObject(value) ? value : null
}
