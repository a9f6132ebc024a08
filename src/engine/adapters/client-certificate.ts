// Client certificates: what a connection shows of its client, checked before it is made.
import { ConnectorError } from '../../errors.ts'
import { nodeCrypto } from '../../late-modules.ts'
import type { ClientCertificate } from '../request/upstream-request.ts'

const IDS = new WeakMap<ClientCertificate, string>()

/** Tells certificates apart, key and passphrase included: connections of one are never used with another. */
export function certificateId(given: ClientCertificate): string {
  let id = IDS.get(given)
  if (id === undefined) {
    const { certificate, key, passphrase } = given
    const text = JSON.stringify([certificate, key, passphrase])
    id = nodeCrypto().createHash('sha256').update(text).digest('base64')
    IDS.set(given, id)
  }
  return id
}

/** Throws `credentials_invalid`, naming the members, for a certificate that no connection could be made with. */
export function checkCertificate(given: ClientCertificate): void {
  const { certificate, key, passphrase, names } = given
  const { X509Certificate, createPrivateKey } = nodeCrypto()
  const shown = attempt(
    () => new X509Certificate(certificate),
    () => refused(names.certificate, 'is no certificate in PEM'),
  )
  const secret = attempt(
    () => createPrivateKey({ key, ...(passphrase !== null && { passphrase }) }),
    () => keyRefused(given),
  )
  if (!shown.checkPrivateKey(secret))
    throw refused([...names.certificate, ...names.key], 'do not belong together')
  if (Date.parse(shown.validTo) < Date.now())
    throw refused(names.certificate, `ended on ${new Date(shown.validTo).toISOString()}`)
}

/** Which error a wrong passphrase gives depends on chance: bytes that do not unpad, or that are no key. */
function keyRefused({ key, passphrase, names }: ClientCertificate): ConnectorError {
  if (!/^-----BEGIN ENCRYPTED |^Proc-Type: .*ENCRYPTED/m.test(key))
    return refused(names.key, 'is no private key in PEM')
  return passphrase === null
    ? refused(names.key, 'is encrypted, and there is no passphrase')
    : refused(names.passphrase, 'does not open the private key')
}

function attempt<T>(run: () => T, failed: () => ConnectorError): T {
  try {
    return run()
  } catch {
    // The text of OpenSSL says nothing to people.
    throw failed()
  }
}

function refused(names: readonly string[], detail: string): ConnectorError {
  const subject = names.length === 0 ? 'the client certificate' : names.join(' and ')
  return new ConnectorError('credentials_invalid', `${subject} ${detail}; nothing was sent`, {
    errors: names.map((name) => ({ pointer: `/credentials/${name}`, code: 'format', detail })),
    details: { sent: false },
  })
}
