// Webhooks of the vendor: what they lead to is there, and what they are checked by can be checked.
import { keyKindOf } from '../../signing/algorithms.ts'
import { signFindings } from '../credential-places/sign.ts'
import type { WebhooksSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import { keyAt, type Lint } from './lint.ts'
import { missingParam, neededParams } from './param-facts.ts'

type Entry = NonNullable<WebhooksSource['map']>[number]

/** Findings about `webhooks`. Templates and paths are checked with all others. */
export function lintWebhooks(lint: Lint): void {
  const { webhooks } = lint.source
  if (webhooks === undefined) return
  const { sign } = webhooks.verify
  for (const { rule, at, message, hint } of sign === undefined ? [] : signFindings(sign))
    lint.error(rule, { at: ['webhooks', 'verify', 'sign', ...at] }, message, hint)
  if (sign !== undefined) lintProof(lint, sign)
  for (const [index, entry] of (webhooks.map ?? []).entries()) lintEntry(lint, entry, index)
}

type SignSource = NonNullable<WebhooksSource['verify']['sign']>

/** What everybody knows proves nothing, and what is not signed may be anything. */
function lintProof(lint: Lint, { alg, key, of }: SignSource): void {
  const kind = keyKindOf(alg)
  const [name, secret] = kind === 'hash' ? ['of', of] : ['key', key ?? '']
  // A public key may stand in the manifest.
  if ((kind === 'hash' || kind === 'hmac') && secret !== '' && !SECRET.test(secret))
    lint.error(
      'webhooks/no-secret',
      { at: ['webhooks', 'verify', 'sign', name] },
      `anybody can make this signature: no secret is in ${name}`,
      'use {{ webhook.secret }}, or a credential',
    )
  if (!/\brequest\.body(?:_hash)?\b/.test(of))
    lint.warn(
      'webhooks/body-unsigned',
      { at: ['webhooks', 'verify', 'sign', 'of'] },
      'the signature says nothing of the body, so a delivery that was seen can be sent again with another one',
      'add {{ request.body }} where the vendor signs it',
    )
}

const SECRET = /\b(?:credentials|config)\.|\b(?:client|webhook)\.secret\b/

function lintEntry(lint: Lint, { entity: name, get, params, removed }: Entry, index: number): void {
  const at = ['webhooks', 'map', index]
  const entity = lint.entity(name)
  if (entity === undefined) {
    const names = lint.entities.map((each) => each.name)
    const message = `there is no entity "${name}"`
    lint.error(
      'webhooks/unknown-entity',
      { at: [...at, 'entity'] },
      message,
      suggestion(name, names),
    )
    return
  }
  if (entity.sync === undefined) {
    const message = `${name} is not synchronized, so there is no copy that this could change`
    const hint = 'remove the entry: its events are told all the same'
    lint.warn('webhooks/no-copy', { at: [...at, 'entity'] }, message, hint)
    return
  }
  if (params !== undefined)
    lintNames(lint, { entity: name, name: entity.sync.action }, [...at, 'params'], params)
  const keys = [entity.sync.primary_key].flat()
  if (removed !== undefined && [removed].flat().length !== keys.length) {
    const message = `the key of ${name} is ${keys.join(', ')}, so removed must say ${keys.length === 1 ? 'one path' : `${keys.length} paths`}`
    lint.error('webhooks/key-parts', keyAt(...at, 'removed'), message, 'in the same order')
  }
  if (get === undefined) return
  if (entity.actions.get === undefined) {
    const message = `${name} has no get by which a record could be read`
    lint.error('webhooks/no-get', keyAt(...at, 'get'), message, 'add the action, or say record')
    return
  }
  const action = { entity: name, name: 'get' } as const
  if (!lintNames(lint, action, [...at, 'get'], get)) return
  for (const missing of neededParams(lint.source, action, Object.keys(get))) {
    const message = `${name}.get needs "${missing}", which is not given`
    lint.error('webhooks/missing-param', keyAt(...at, 'get'), message, `add ${missing}: $.…`)
  }
}

/** False: a name is wrong. */
function lintNames(
  lint: Lint,
  action: Parameters<typeof missingParam>[1],
  at: readonly (string | number)[],
  given: Readonly<Record<string, string>>,
): boolean {
  let isRight = true
  for (const param of Object.keys(given)) {
    const hint = missingParam(lint.source, action, param)
    if (hint === undefined) continue
    isRight = false
    const message = `${action.entity}.${action.name} has no parameter "${param}"`
    lint.error('webhooks/unknown-param', keyAt(...at, param), message, hint)
  }
  return isRight
}
