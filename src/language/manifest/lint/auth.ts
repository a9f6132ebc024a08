// Authentication methods: everything asked for is used, everything stored has a place, each can be told from the others.
import { problemAt } from '../document.ts'
import { type ManifestDraft, methodsOf, type PlacedMethod } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import type { SchemaSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import { readMembers } from './expression-facts.ts'
import { closedNode, membersOf, requiredOf, type SchemaNode, typesOf } from './schema-walk.ts'
import { configNode } from './scopes.ts'
import { targetsOf } from './servers.ts'

/** Findings about the authentication methods. */
export function lintAuth(draft: ManifestDraft): readonly ManifestProblem[] {
  const methods = methodsOf(draft.source)
  return [
    ...methods.flatMap((method) => [
      ...lintUnused(draft, method),
      ...lintTokens(draft, method),
      ...lintTargets(draft, method),
    ]),
    ...lintDistinct(draft, methods),
  ]
}

function credentialsOf({ at, source }: PlacedMethod): SchemaNode {
  return closedNode(source.credentials, [...at, 'credentials'])
}

/** What OAuth itself uses: the engine reads and keeps these without being told. */
const OAUTH_OWN = ['refresh_token', 'client_id', 'client_secret', 'expires_in', 'expires_at']

function lintUnused(draft: ManifestDraft, method: PlacedMethod): readonly ManifestProblem[] {
  const { name, source } = method
  const credentials = membersOf(draft.source, credentialsOf(method))
  const texts = draft.texts.filter(({ owner }) => owner.method === name)
  const used = new Set(readMembers(texts, 'credentials', [...credentials.keys()]))
  if (source.oauth2 !== undefined) OAUTH_OWN.forEach((own) => used.add(own))
  if (source.oauth2?.grant === 'password') used.add('username').add('password')
  return [...credentials].flatMap(([credential, { at }]) =>
    used.has(credential)
      ? []
      : [
          problemAt(draft.document, {
            at: at ?? method.at,
            part: 'key',
            rule: 'auth/credential-unused',
            message: `the credential "${credential}" of ${name} is never applied`,
            hint: `use {{ credentials.${credential} }} under apply, or remove it`,
          }),
        ],
  )
}

function lintTokens(draft: ManifestDraft, method: PlacedMethod): readonly ManifestProblem[] {
  const { oauth2 } = method.source
  if (oauth2 === undefined) return []
  const names = membersOf(draft.source, credentialsOf(method))
  const refreshes = oauth2.refresh !== false && oauth2.grant !== 'client_credentials'
  const missing = (name: string, message: string): ManifestProblem =>
    problemAt(draft.document, {
      at: [...method.at, 'credentials'],
      part: 'key',
      rule: `auth/${name.replace('_', '-')}-missing`,
      message,
      hint: `add ${name}: { type: string, writeOnly: true }`,
    })
  return [
    ...(names.has('access_token')
      ? []
      : [missing('access_token', `the method ${method.name} gets an access token it cannot keep`)]),
    ...(names.has('refresh_token') || !refreshes
      ? []
      : [
          missing(
            'refresh_token',
            `the method ${method.name} could refresh its token, and has no place for the refresh token`,
          ),
        ]),
  ]
}

/** `store` and `derive` write to declared places. */
function lintTargets(draft: ManifestDraft, method: PlacedMethod): readonly ManifestProblem[] {
  const settings = [...membersOf(draft.source, configNode(draft.source)).keys()]
  const credentials = [...membersOf(draft.source, credentialsOf(method)).keys()]
  const known = new Map([
    ['config', settings],
    ['credentials', credentials],
  ])
  return targetsOf(method.source, method.at).flatMap(({ at, target }) => {
    const [root = '', name = ''] = target.split('.')
    const inSession = at.includes('session')
    if (root === 'session' ? inSession : (known.get(root) ?? []).includes(name)) return []
    const hint =
      root === 'session'
        ? 'session values are stored by the login of a session block'
        : suggestion(name, known.get(root) ?? [])
    return [
      problemAt(draft.document, {
        at,
        part: 'key',
        rule: 'auth/undeclared-target',
        message:
          root === 'session'
            ? `"${target}" has no place here`
            : `there is no ${root === 'config' ? 'setting' : 'credential'} "${name}" to store into`,
        hint:
          hint ?? (root === 'config' ? 'declare it under config' : 'declare it under credentials'),
      }),
    ]
  })
}

/** The method of an instance is the one whose schema its credentials satisfy, so no two may be satisfied at once. */
function lintDistinct(
  draft: ManifestDraft,
  methods: readonly PlacedMethod[],
): readonly ManifestProblem[] {
  return methods.flatMap((method, index) => {
    const twin = methods.slice(0, index).find((earlier) => areAlike(draft, earlier, method))
    if (twin === undefined) return []
    return [
      problemAt(draft.document, {
        at: method.at,
        part: 'key',
        rule: 'auth/indistinct',
        message: `credentials that suit ${method.name} suit ${twin.name} too`,
        hint: 'require a member in one that the other does not have',
      }),
    ]
  })
}

function areAlike(draft: ManifestDraft, left: PlacedMethod, right: PlacedMethod): boolean {
  const { source } = draft
  const [a, b] = [credentialsOf(left), credentialsOf(right)]
  const [ofA, ofB] = [membersOf(source, a), membersOf(source, b)]
  const needed = [...new Set([...requiredOf(source, a), ...requiredOf(source, b)])]
  return needed.every((name) => {
    const [inA, inB] = [ofA.get(name), ofB.get(name)]
    return inA !== undefined && inB !== undefined && canBeBoth(draft, inA, inB)
  })
}

/** Whether a value may satisfy both; patterns that differ are taken to keep values apart. */
function canBeBoth(draft: ManifestDraft, left: SchemaNode, right: SchemaNode): boolean {
  const types = typesOf(draft.source, right)
  if (![...typesOf(draft.source, left)].some((type) => types.has(type))) return false
  const [a, b] = [limitsOf(left), limitsOf(right)]
  if (a.pattern !== undefined && b.pattern !== undefined && a.pattern !== b.pattern) return false
  if (a.values === undefined || b.values === undefined) return true
  return a.values.some((value) => b.values?.includes(value))
}

function limitsOf({ schema }: SchemaNode): {
  readonly pattern?: string | undefined
  readonly values?: NonNullable<SchemaSource['enum']> | undefined
} {
  return {
    pattern: schema.pattern,
    values: schema.const === undefined ? schema.enum : [schema.const],
  }
}
