// JSON as Tenon sees it: every digit kept, own properties only, bounded depth.

/**
 * A number that a double cannot hold (an integer beyond 2^53, more than 17 digits, a huge exponent).
 * Made by `JSON.rawJSON`, so that JSON.stringify writes its digits unchanged.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

export type JsonObject = { readonly [member: string]: Json }
export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | JsonObject
