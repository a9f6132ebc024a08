// What end users read of a manifest on the connect page, and how another language says it.
import { fieldWords, sentencesOf } from '../../display/field-words.ts'
import type { JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { own } from '../json/own.ts'
import { consentTitles } from './access/consent.ts'
import { type Way, waysOf } from './access/ways.ts'
import { dereference } from './json-schema.ts'
import type { AuthMethod, InputSchema, Manifest } from './manifest.ts'

export interface ShownTexts {
  /** What the connect page shows; each as it stands in the manifest, of a description its first sentence and the rest. */
  readonly shown: readonly string[]
  /** Those and all others that may come to be shown: values to choose from, and what ways say that are not offered now. */
  readonly known: readonly string[]
}

export function shownTexts(manifest: Manifest): ShownTexts {
  const { title, description, auth, config } = manifest
  const [first, ...rest] = sentencesOf(description)
  const top = [title, ...textsIn(first), ...fieldTexts(manifest, config).shown]
  const offered = [waysOf(manifest, true), waysOf(manifest, false)]
  const shown = offered.flatMap((ways) =>
    ways.flatMap((way) => [
      ...(ways.length > 1 ? textsIn(way.detail) : []),
      ...(ways.length > 1 && way.detail !== null
        ? sentencesOf(way.method?.description).slice(0, 1)
        : []),
      ...wayTexts(manifest, way),
    ]),
  )
  const known = auth.flatMap((method) => [
    ...textsIn(method.title ?? method.name.replaceAll('_', ' ')),
    ...sentencesOf(method.description),
    ...fieldTexts(manifest, method.credentials).known,
    ...consentTitles(manifest, method),
  ])
  return {
    shown: [...new Set([...top, ...shown])],
    known: [
      ...new Set([...top, ...rest, ...shown, ...fieldTexts(manifest, config).known, ...known]),
    ],
  }
}

function wayTexts(manifest: Manifest, { kind, method }: Way): readonly string[] {
  if (method === null) return []
  return kind === 'consent' ? consentTitles(manifest, method) : formTexts(manifest, method)
}

function formTexts(manifest: Manifest, method: AuthMethod): readonly string[] {
  const { credentials, description } = method
  return [...sentencesOf(description), ...fieldTexts(manifest, credentials).shown]
}

/** Labels and help of the fields of a form. A label that is made of a name counts as a text of the manifest. */
function fieldTexts({ definitions }: Manifest, { schema }: InputSchema): ShownTexts {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const fields = Object.entries(properties).flatMap(([member, written]) => {
    const field = isJsonObject(written) ? { ...dereference(written, definitions), ...written } : {}
    return isAskedFor(field) ? [textsOfField(member, field)] : []
  })
  return {
    shown: fields.flatMap(({ shown }) => shown),
    known: fields.flatMap(({ known }) => known),
  }
}

function textsOfField(member: string, field: JsonObject): ShownTexts {
  const { description, help, form, enum: choices } = field
  const words = fieldWords(member, description)
  // A short description is the label, without its full stop.
  const isLabel = typeof description === 'string' && words.help === null
  const label = isLabel ? description : words.label
  const forOne = isJsonObject(field['help_for']) ? Object.values(field['help_for']) : []
  const shown = [label, words.help, form, help, ...forOne].filter(isText)
  return { shown, known: [...shown, ...(Array.isArray(choices) ? choices.filter(isText) : [])] }
}

/** Whether end users are asked for the value of a credential or setting. */
export function isAskedFor(schema: JsonObject): boolean {
  return schema['deprecated'] !== true && schema['set_by'] !== 'application'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function textsIn(text: string | null | undefined): readonly string[] {
  return text === null || text === undefined ? [] : [text]
}

/** A text of the manifest, or a label that is made of one, in another language; null: the manifest has no words for it. */
export function translated(
  { translations = {} }: Pick<Manifest, 'translations'>,
  language: string,
  text: string,
): string | null {
  const words = own(translations, language)
  const whole = own(words, text)
  if (typeof whole === 'string') return whole
  const sentence = own(words, `${text}.`)
  return typeof sentence === 'string' ? sentence.replace(/\.$/, '') : null
}
