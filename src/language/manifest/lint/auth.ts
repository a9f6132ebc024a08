// Authentication methods: everything asked for is used, everything stored has a place, each can be told from the others.
import { pathsIn } from '../../expression/paths-in.ts'
import { accessParts } from '../access/all-access.ts'
import { placeFindings } from '../credential-places/places.ts'
import type { PlacedMethod } from '../draft.ts'
import { suggestion } from '../suggest.ts'
import { readMembers } from './expression-facts.ts'
import { keyAt, type Lint } from './lint.ts'
import { SchemaView, valuesOf } from './schema-walk.ts'
import { configOf } from './scopes.ts'
import { targetsOf } from './servers.ts'

export function lintAuth(lint: Lint): void {
  for (const method of lint.methods) {
    lintUnused(lint, method)
    lintTokens(lint, method)
    lintTargets(lint, method)
    lintJwt(lint, method)
    lintJwtHeader(lint, method)
    lintScopeTitles(lint, method)
    lintApp(lint, method)
    for (const { rule, at, message, hint } of placeFindings(method.source.apply))
      lint.error(rule, keyAt(...method.at, 'apply', ...at), message, hint)
  }
  // The method of an instance is the one whose schema its credentials satisfy, so no two may be satisfied at once.
  for (const [index, method] of lint.methods.entries()) {
    const twin = lint.methods.slice(0, index).find((earlier) => areAlike(lint, earlier, method))
    if (twin === undefined) continue
    const message = `credentials that suit ${method.name} suit ${twin.name} too`
    const hint = 'require a member in one that the other does not have'
    lint.error('auth/indistinct', keyAt(...method.at), message, hint)
  }
}

/** Words for a scope that is never asked for are those of a misspelt name, or are left over. */
function lintScopeTitles(lint: Lint, { at, source: { oauth2 } }: PlacedMethod): void {
  const {
    scopes = [],
    scope_names: names = {},
    scope_titles: titles = {},
  } = oauth2?.authorize ?? {}
  const needed = lint.actions.flatMap(({ source }) => source.scopes ?? [])
  const asked = new Set([
    ...scopes,
    ...needed.map((scope) => (Object.hasOwn(names, scope) ? names[scope] : scope)),
  ])
  for (const scope of Object.keys(titles)) {
    if (asked.has(scope)) continue
    const message = `no consent of this method asks for "${scope}"`
    const known = [...asked].filter((each) => typeof each === 'string')
    const hint = suggestion(scope, known) ?? 'name a scope of an action, or one of authorize.scopes'
    const place = keyAt(...at, 'oauth2', 'authorize', 'scope_titles', scope)
    lint.warn('auth/scope-title-unused', place, message, hint)
  }
}

/** The guide to a client is shown where users agree. */
function lintApp(lint: Lint, { name, at, source: { oauth2 } }: PlacedMethod): void {
  if (oauth2?.app === undefined || oauth2.authorize !== undefined) return
  const message = `nobody is shown how a client for ${name} is made: it has no consent`
  const hint = 'say it in the description of the method'
  lint.warn('auth/app-unused', keyAt(...at, 'oauth2', 'app'), message, hint)
}

function credentialsOf({ source }: Lint, method: PlacedMethod): SchemaView {
  return SchemaView.closed(source, method.source.credentials, [...method.at, 'credentials'])
}

function lintUnused(lint: Lint, method: PlacedMethod): void {
  const { name } = method
  const credentials = credentialsOf(lint, method).members()
  const texts = lint.draft.texts.filter(
    ({ owner }) => owner.method === name || owner.area === 'webhooks',
  )
  const used = new Set([
    ...readMembers(texts, 'credentials', [...credentials.keys()]),
    ...accessParts(method).credentials,
  ])
  for (const [credential, { at }] of credentials) {
    if (used.has(credential)) continue
    const message = `the credential "${credential}" of ${name} is never applied`
    const hint = `use {{ credentials.${credential} }} under apply, or remove it`
    lint.error('auth/credential-unused', keyAt(...(at ?? method.at)), message, hint)
  }
}

function lintTokens(lint: Lint, method: PlacedMethod): void {
  const names = credentialsOf(lint, method).members()
  const place = keyAt(...method.at, 'credentials')
  for (const [name, lack] of Object.entries(accessParts(method).kept)) {
    if (names.has(name)) continue
    const hint = `add ${name}: { type: string, writeOnly: true }`
    const rule = `auth/${name.replace('_', '-')}-missing`
    lint.error(rule, place, `the method ${method.name} ${lack}`, hint)
  }
}

/** The block `jwt` stands where its token is used, and only there. */
function lintJwt(lint: Lint, method: PlacedMethod): void {
  const { asserts = false } = accessParts(method)
  const texts = lint.draft.texts.filter(({ owner }) => owner.method === method.name)
  const isUsed = asserts || texts.some(({ text }) => pathsIn(text, 'jwt').length > 0)
  if (method.source.jwt === undefined && asserts) {
    const message = `${method.name} presents a JSON Web Token, and no jwt block makes it`
    const hint = 'add jwt: { alg: RS256, key: "{{ credentials.private_key }}", claims: { iss: … } }'
    lint.error('auth/jwt-missing', keyAt(...method.at), message, hint)
  } else if (method.source.jwt !== undefined && !isUsed) {
    const message = `nothing uses the JSON Web Token of ${method.name}`
    const hint = 'write bearer: "{{ jwt }}" under apply, or remove the block'
    lint.error('auth/jwt-unused', keyAt(...method.at, 'jwt'), message, hint)
  }
}

/** `alg` says how the token is signed; a header that says something else would be a lie. */
function lintJwtHeader(lint: Lint, { source, at }: PlacedMethod): void {
  if (source.jwt?.header === undefined || !Object.hasOwn(source.jwt.header, 'alg')) return
  const message = 'the header of a token gets its alg from the block'
  lint.error('auth/jwt-alg', keyAt(...at, 'jwt', 'header', 'alg'), message, 'remove it here')
}

/** `store` and `derive` write to declared places. */
function lintTargets(lint: Lint, method: PlacedMethod): void {
  const known: Readonly<Record<string, readonly string[]>> = {
    config: [...configOf(lint.source).members().keys()],
    credentials: [...credentialsOf(lint, method).members().keys()],
  }
  for (const { at, target } of targetsOf(method)) {
    const [root = '', name = ''] = target.split('.')
    const place = keyAt(...at)
    if (root === 'session') {
      if (accessParts(method).root === root) continue
      const hint = 'session values are stored by the login of a session block'
      lint.error('auth/undeclared-target', place, `"${target}" has no place here`, hint)
      continue
    }
    const names = known[root] ?? []
    if (names.includes(name)) continue
    const kind = root === 'config' ? 'setting' : 'credential'
    const message = `there is no ${kind} "${name}" to store into`
    const hint = suggestion(name, names) ?? `declare it under ${root}`
    lint.error('auth/undeclared-target', place, message, hint)
  }
}

function areAlike(lint: Lint, left: PlacedMethod, right: PlacedMethod): boolean {
  const [a, b] = [credentialsOf(lint, left), credentialsOf(lint, right)]
  const [ofA, ofB] = [a.members(), b.members()]
  return [...a.required(), ...b.required()].every((name) => {
    const [inA, inB] = [ofA.get(name), ofB.get(name)]
    if (inA === undefined || inB === undefined) return false
    const types = inB.types()
    return [...inA.types()].some((type) => types.has(type)) && canBeBoth(inA, inB)
  })
}

/** Whether a value may satisfy both; patterns that differ are taken to keep values apart. */
function canBeBoth({ schema: a }: SchemaView, { schema: b }: SchemaView): boolean {
  if (a.pattern !== undefined && b.pattern !== undefined && a.pattern !== b.pattern) return false
  const [ofA, ofB] = [valuesOf(a), valuesOf(b)]
  return ofA === undefined || ofB === undefined || ofA.some((value) => ofB.includes(value))
}
