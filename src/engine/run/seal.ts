// Text that leaves the engine and comes back unchanged, or not at all: next-page addresses may hold tokens.
import type { KeyObject } from 'node:crypto'
import { nodeCrypto } from '../../late-modules.ts'

/** Seals text for one purpose. What was sealed for another purpose, or altered, does not open. */
export interface Sealer {
  seal(text: string, purpose: string): string
  /** null when the sealed text was not made by this sealer for this purpose. */
  open(sealed: string, purpose: string): string | null
}

export interface EarlySealer extends Sealer {
  /** Begins to seal a text that is not known yet: most of the cost. What it gives is called once. */
  begin(purpose: string): (text: string) => string
}

const IV_BYTES = 12
const TAG_BYTES = 16
/** Random bytes are read for many texts at once: asking the system costs more than all the rest of an IV. */
const IVS_AT_ONCE = 64

/** Bytes of any length, or the AES-256 key itself. */
type Secret = Uint8Array | KeyObject

/**
 * A sealer under one secret (AES-256-GCM, random IV, purpose as associated data; base64url). Of several the first one
 * seals, and all of them open.
 *
 * In direct mode the secret is a random one of the client, so a cursor lives as long as the client does.
 */
export function createSealer(
  ...secrets: readonly [] | readonly [Secret, ...(readonly Secret[])]
): EarlySealer {
  let made: readonly [KeyObject, ...KeyObject[]] | undefined
  const keys = (): readonly [KeyObject, ...KeyObject[]] => {
    const [first = nodeCrypto().randomBytes(32), ...rest] = secrets
    return (made ??= [keyOf(first), ...rest.map(keyOf)])
  }
  let ivs: Buffer = Buffer.alloc(0)
  const begin: EarlySealer['begin'] = (purpose) => {
    const { createCipheriv, randomBytes } = nodeCrypto()
    if (ivs.length === 0) ivs = randomBytes(IVS_AT_ONCE * IV_BYTES)
    const iv = ivs.subarray(0, IV_BYTES)
    ivs = ivs.subarray(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', keys()[0], iv).setAAD(Buffer.from(purpose))
    return (text) => {
      const sealed = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat([iv, ...sealed]).toString('base64url')
    }
  }
  return {
    begin,
    seal: (text, purpose) => begin(purpose)(text),
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url')
      // A second spelling of the same bytes is an altered text too.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null
      for (const key of keys()) {
        const text = opened(key, bytes, purpose)
        if (text !== null) return text
      }
      return null
    },
  }
}

function opened(key: KeyObject, bytes: Buffer, purpose: string): string | null {
  const decipher = nodeCrypto()
    .createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const text = Buffer.concat([
      decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
      decipher.final(),
    ])
    return text.toString('utf8')
  } catch {
    // A failed tag has one meaning only, and it is the answer.
    return null
  }
}

/** Made once: with bytes every cipher would make one. */
function keyOf(secret: Secret): KeyObject {
  if (!(secret instanceof Uint8Array)) return secret
  const { createHash, createSecretKey } = nodeCrypto()
  return createSecretKey(createHash('sha256').update(secret).digest())
}
