// What of a consent is kept: values of the address that the user came back to, and of the answer with the token.
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Store } from '../../language/manifest/manifest.ts'
import type { Consented, ConsentAnswer } from './consent.ts'
import type { Material, MethodContext } from './material.ts'
import type { MethodKit } from './method-kit.ts'
import { Secret } from './redact.ts'
import { compileStores } from './stored-values.ts'

/** A connection of which only the settings are known. */
export function emptyMaterial(config: JsonObject): Material {
  return { credentials: new Secret({}), session: new Secret({}), config }
}

/** Compiles `authorize.store`: what the address of the callback tells. */
export function compileCallback(
  { manifest, method }: MethodContext,
  stores: readonly Store[],
): (callback: ConsentAnswer['callback'], material: Material) => Material {
  const keep = compileStores(
    manifest,
    method,
    stores.map((store) => ({ ...store, at: { ...store.at, root: 'body' } })),
  )
  return (callback, material) => {
    const given = Object.entries(callback).filter((pair): pair is [string, string] => !!pair[1])
    const { material: kept, refused } = keep(Object.fromEntries(given), material)
    const [first] = refused
    if (first === undefined) return kept
    throw new ConnectorError(
      'upstream_malformed',
      `the consent page of ${manifest.title} leads back with no usable ${first.target}: ${
        first.reason === 'absent' ? 'the address does not hold it' : first.detail
      }; the code was not used`,
      { details: { targets: refused.map(({ target }) => target) } },
    )
  }
}

/** Compiles the end of a consent: `store`, of the answer with the token, and the requests right after it. */
export function compileFinish(
  { manifest, method, view }: MethodContext & { readonly view: MethodKit },
  stores: readonly Store[],
): (
  answer: JsonObject,
  material: Material,
) => Promise<Omit<Consented, 'grantedScopes' | 'lifeMs'>> {
  const keep = compileStores(manifest, method, stores)
  return async (answer, material) => {
    const kept = keep(answer, material)
    const forbidden = kept.refused.find(({ reason }) => reason !== 'absent')
    if (forbidden !== undefined) {
      throw new ConnectorError(
        'upstream_malformed',
        `the token answer of ${manifest.title} names a ${forbidden.target} that is not accepted: ${forbidden.detail}`,
      )
    }
    const { credentials, config } =
      (await view.finisher?.run('consent', kept.material)) ?? kept.material
    return { credentials: credentials.reveal(), config }
  }
}
