// What a session offers, and what of it was chosen.
import { consentTitles, registersClient } from '../../language/manifest/access/consent.ts'
import { vendorName } from '../../display/field-words.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { type Way, waysOf } from '../../language/manifest/access/ways.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { ServiceBase } from '../base.ts'
import type { ConnectSession } from './connect-sessions.ts'
import { type FormField, formFields, typedOf } from './form-fields.ts'
import { isHostPart } from './pasted-address.ts'
import { settingNeeds } from './asked-settings.ts'

export type ChoicePorts = Pick<ServiceBase, 'catalogue' | 'icons' | 'rows' | 'oauthClients'>

export interface Offer {
  readonly organizationId: string
  readonly manifests: readonly Manifest[]
  /** The instance to reconnect; null: a new one is made. */
  readonly instance: InstanceRow | null
}

export interface Choice {
  readonly manifest: Manifest
  readonly vendor: string
  readonly instance: InstanceRow | null
  readonly ways: readonly Way[]
  readonly way: Way
  readonly fields: {
    readonly credentials: readonly FormField[]
    /** Settings that are asked for at once. */
    readonly first: readonly FormField[]
    readonly more: readonly FormField[]
  }
  /** What the user is asked to allow, in words; empty where nothing is, or where the manifest has none. */
  readonly scopes: readonly string[]
}

/** Throws `instance_unknown` when the instance is gone, `connector_version_unavailable`. */
export async function offerOf(
  { catalogue, rows }: ChoicePorts,
  { row, principal }: ConnectSession,
): Promise<Offer> {
  const { organizationId } = row
  if (row.instanceId === null) {
    const { connectorTypes } = row
    return {
      organizationId,
      instance: null,
      manifests: catalogue.manifests.filter(
        ({ type }) => connectorTypes === null || connectorTypes.includes(type),
      ),
    }
  }
  const instance = await rows.read(principal, row.instanceId)
  return {
    organizationId,
    instance,
    manifests: [catalogue.forInstance(instance.connectorType, instance.connectorVersion)],
  }
}

export function waysIn(
  { oauthClients }: Pick<ChoicePorts, 'oauthClients'>,
  { organizationId }: Pick<Offer, 'organizationId'>,
  manifest: Manifest,
): readonly Way[] {
  const isGiven = oauthClients.of(organizationId, manifest.type) !== null
  const hasClient = isGiven || registersClient(manifest)
  return waysOf(manifest, hasClient)
}

/** Null: the offer has no such connector, or the connector no such way. */
export function choose(
  ports: ChoicePorts,
  offer: Offer,
  connector: string,
  wayName: string,
): Choice | null {
  const manifest = offer.manifests.find(({ type }) => type === connector)
  if (manifest === undefined) return null
  const ways = waysIn(ports, offer, manifest)
  const way = ways.find(({ name }) => name === wayName)
  if (way === undefined) return null
  const needs = settingNeeds(manifest, way)
  const { definitions } = manifest
  const method = way.method?.name ?? null
  const settings = formFields('config', manifest.config, { definitions, method }).filter(
    ({ member }) => way.kind === 'form' || !needs.never.has(member),
  )
  const isFirst = ({ member, fallback }: FormField): boolean =>
    needs.first.has(member) && fallback === null
  return {
    manifest,
    vendor: vendorName(manifest.title),
    instance: offer.instance,
    ways,
    way,
    scopes:
      way.kind === 'consent' && way.method !== null ? consentTitles(manifest, way.method) : [],
    fields: {
      credentials:
        way.kind === 'consent' || way.method === null
          ? []
          : formFields('credentials', way.method.credentials, { definitions }),
      first: settings.filter(isFirst),
      more: settings.filter((field) => !isFirst(field)),
    },
  }
}

/** A setting as the page says it. */
export interface ShownSetting {
  readonly label: string
  readonly value: string
}

/** Whose data is connected, where the host that is called says so. */
export function settingsShown(manifest: Manifest, config: JsonObject): readonly ShownSetting[] {
  return formFields('config', manifest.config, manifest).flatMap((field) => {
    const value = typedOf([field], config)[field.name]
    const isInHost = manifest.server.urls.some((url) => isHostPart(url, field.name))
    return isInHost && value !== undefined && value !== field.fallback
      ? [{ label: field.label, value }]
      : []
  })
}

export function settingsOf({ instance }: Pick<Choice, 'instance'>): JsonObject {
  return instance?.config ?? {}
}

/** Settings of the instance to reconnect that the form does not ask for: they stay as they are. */
export function settingsNotAskedFor(choice: Choice): JsonObject {
  const { first, more } = choice.fields
  const asked = new Set([...first, ...more].map(({ member }) => member))
  const settings = Object.entries(settingsOf(choice))
  return Object.fromEntries(settings.filter(([member]) => !asked.has(member)))
}
