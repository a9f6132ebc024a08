// Formats of times that schemas may name, over those of ajv-formats.
import type { Ajv } from 'ajv'

const DAY =
  /(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)/
const CLOCK = /(?:[01]\d|2[0-3]):[0-5]\d/
const SECOND = /:(?:[0-5]\d|60)(?:\.\d+)?/
const OFFSET = /(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)/
const SHORT_OFFSET = /(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)/

/**
 * What texts of times match, by format; true: whatever there is.
 *
 * `date-time` wants the letter T: ajv-formats takes any blank in its place, which many vendors refuse.
 * `iso-time` is any day or time of ISO 8601 that names a moment: a day is its midnight in UTC, seconds may be absent.
 * `epoch_s`, `epoch_ms`, `duration_s` and `duration_ms` say what a number stands for; any number may be one.
 * Source: RFC 3339, section 5.6; ISO 8601, extended format.
 */
export const TIME_FORMATS: Readonly<Record<string, RegExp | true>> = {
  'date-time': whole(DAY, /[Tt]/, CLOCK, SECOND, OFFSET),
  'iso-time': new RegExp(
    `^${DAY.source}(?:[Tt]${CLOCK.source}(?:${SECOND.source})?${SHORT_OFFSET.source})?$`,
  ),
  epoch_s: true,
  epoch_ms: true,
  duration_s: true,
  duration_ms: true,
}

/** Names of the formats that are ours, not those of ajv-formats. */
export const OWN_FORMATS: ReadonlySet<string> = new Set([
  'iso-time',
  'epoch_s',
  'epoch_ms',
  'duration_s',
  'duration_ms',
])

/** Adds the formats of times; those of ajv-formats must be there already. */
export function addTimeFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(TIME_FORMATS)) ajv.addFormat(name, format)
}

function whole(...parts: readonly RegExp[]): RegExp {
  return new RegExp(`^${parts.map(({ source }) => source).join('')}$`)
}
