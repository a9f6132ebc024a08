// JSON as Tenon sees it: every digit kept, own properties only, bounded depth.

/** A number that a double cannot hold. Made by `JSON.rawJSON`, so that JSON.stringify writes its digits unchanged. */
export interface ExactNumber {
  readonly rawJSON: string
}

export type JsonObject = { readonly [member: string]: Json }
export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | JsonObject
