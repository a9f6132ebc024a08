// Whose answer a browser brings back from a consent.

/** What is known of the authorization server before its answer comes. */
export interface KnownIssuer {
  /** Its issuer identifier, as the manifest declares it; null: it declares none. */
  readonly issuer: string | null
  readonly consentUrl: string
}

/**
 * Whether an answer may be used, by its parameter `iss`.
 *
 * A declared issuer must be there and equal, character by character. Without a declared one an `iss` that is sent must have
 * the origin of the consent page, because identifiers of issuers share it; an answer without `iss` is then of a server that
 * knows none. Source: RFC 9207 section 2.4; the rule for issuers that are not declared is our choice.
 */
export function isFromIssuer(iss: string | undefined, known: KnownIssuer): boolean {
  if (known.issuer !== null) return iss === known.issuer
  if (iss === undefined) return true
  const origin = URL.parse(iss)?.origin
  return origin !== undefined && origin !== 'null' && origin === URL.parse(known.consentUrl)?.origin
}
