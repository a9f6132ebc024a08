// Webhooks of the vendor: what they lead to is there, and what they are checked by can be checked.
import { pathsIn } from '../../expression/paths-in.ts'
import { keyKindOf } from '../../signing/algorithms.ts'
import { signFindings } from '../credential-places/sign.ts'
import { STYLES } from '../pagination-styles.ts'
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
  if (webhooks.subscribe !== undefined) lintSubscribe(lint, webhooks.subscribe)
}

function lintSubscribe(
  lint: Lint,
  { create, find, renew }: NonNullable<WebhooksSource['subscribe']>,
): void {
  const at = ['webhooks', 'subscribe']
  if (find === undefined && create.repeatable !== true) {
    const message = 'an attempt whose answer is lost could leave a second subscription behind'
    const hint =
      'add find: { request, from, match }, or repeatable: true under create where the vendor makes one for each address'
    lint.error('webhooks/may-double', keyAt(...at, 'create'), message, hint)
  }
  const lasts = [create, renew].some(
    (part) => part?.ttl !== undefined || part?.expires !== undefined,
  )
  if (renew !== undefined && !lasts) {
    const message = 'nothing says how long a subscription lasts, so it would never be renewed'
    const hint = 'add ttl or expires under create, or remove renew'
    lint.error('webhooks/never-renewed', keyAt(...at, 'renew'), message, hint)
  }
  if (find !== undefined) lintPages(lint, find, [...at, 'find'])
  const found = Object.keys(find?.store ?? {})
  for (const name of find === undefined ? [] : valuesUsed(lint, ...at, 'delete')) {
    if (found.includes(name)) continue
    const message = `delete needs subscription.${name}, which find does not store`
    const hint = `add store: { ${name}: $.… } under find`
    lint.error('webhooks/find-lacks', keyAt(...at, 'find'), message, hint)
  }
  const isSecretKnown =
    create.store?.['secret'] !== undefined || valuesUsed(lint, ...at, 'create').includes('secret')
  const isSecretUsed = ['verify', 'challenges'].some((key) =>
    valuesUsed(lint, 'webhooks', key).includes('secret'),
  )
  if (isSecretKnown === isSecretUsed) return
  if (isSecretKnown) {
    const message = 'nothing compares a delivery with the secret of its subscription'
    const hint = 'write subscription.secret into the key or the token of verify'
    lint.warn('webhooks/secret-unused', keyAt(...at, 'create'), message, hint)
  } else {
    const message = 'the vendor does not know subscription.secret, which verify compares with'
    const hint = 'send it in the request of create, or store the one that the vendor answers'
    lint.error('webhooks/secret-unknown', keyAt(...at, 'create'), message, hint)
  }
}

type Find = NonNullable<NonNullable<WebhooksSource['subscribe']>['find']>

/** Keys of a pagination that need parameters of a caller, or are for one. */
const OF_CALLERS = ['size', 'carry', 'meta', 'empty_meta'] as const

/** What stands on a page that is not read would be made a second time. */
function lintPages(lint: Lint, { pagination }: Find, at: readonly string[]): void {
  if (pagination === undefined) {
    const message = 'find does not say how its list goes on'
    const hint =
      'add pagination; { type: none, reason: … } when the vendor sends everything at once'
    lint.error('webhooks/find-pages', keyAt(...at), message, hint)
    return
  }
  for (const key of OF_CALLERS) {
    if (pagination[key] === undefined) continue
    const message = `nobody gives the list of find a ${key}`
    const hint = 'write the page size into the request; the list ends with an empty page'
    lint.error('webhooks/find-pages', keyAt(...at, 'pagination', key), message, hint)
  }
  const { type, param = '' } = pagination
  const isSent = lint.draft.texts.some(
    ({ at: place, text }) =>
      at.every((key, index) => place[index] === key) &&
      pathsIn(text, 'params').some((path) => path.join('.') === param),
  )
  const { by } = STYLES[type]
  // An address has all that leads to its page.
  if (isSent || by === null || by === 'address') return
  const message = `the request of find does not send params.${param}, so every page would be the first one`
  const hint = `add it to the query: { ${param}: "{{ params.${param} }}" }`
  lint.error('webhooks/find-pages', keyAt(...at, 'request'), message, hint)
}

/** The members of `subscription` in templates below a key. */
function valuesUsed(lint: Lint, ...at: readonly string[]): readonly string[] {
  const below = lint.draft.texts.filter((placed) =>
    at.every((key, index) => placed.at[index] === key),
  )
  return [
    ...new Set(
      below.flatMap(({ text }) => pathsIn(text, 'subscription').map(([name]) => name ?? '')),
    ),
  ]
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

const SECRET =
  /\b(?:credentials|config)\.|\b(?:client|webhook|subscription)\.secret\b|\bwebhook\.token\b/

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
