// Which authentication method the given credentials are for: the one whose schema they satisfy.
import { ConnectorError, type Problem, problemError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { compileInput, type PreparedInput, type PrepareInput } from '../plan/prepare-input.ts'

export interface ChosenMethod {
  /** null: the manifest has no methods, its API is public. */
  readonly method: AuthMethod | null
  /** As the method's schema wants them: aliases resolved, defaults filled in. */
  readonly credentials: JsonObject
}

/**
 * The method that the credentials satisfy, and the credentials in its terms.
 *
 * `authMethod` names the method instead, for credentials that satisfy two. Throws `credentials_invalid` with all
 * problems of the method that comes closest, when none is satisfied; pointers begin with `/credentials`.
 */
export function chooseMethod(
  manifest: Manifest,
  credentials: JsonObject,
  authMethod?: string,
): ChosenMethod {
  if (manifest.auth.length === 0) return withoutMethods(manifest, credentials)
  const candidates = candidatesOf(manifest, authMethod)
  const tried = candidates.map((method) => ({
    method,
    prepared: prepareFor(manifest, method)(credentials, {}),
  }))
  const fitting = tried.filter(({ prepared }) => prepared.isValid)
  const [first, second] = fitting
  if (first === undefined) throw noneFits(manifest, tried, credentials)
  if (second !== undefined)
    throw severalFit(
      manifest,
      fitting.map(({ method }) => method.name),
    )
  return { method: first.method, credentials: first.prepared.value }
}

/** Whether an empty object of credentials is enough, so that it may be left out. */
export function worksWithoutCredentials({ auth }: Pick<Manifest, 'auth'>): boolean {
  return auth.length === 0 || auth.some((method) => required(method).length === 0)
}

// Credentials given as a function are checked again before each refresh.
const preparations = new WeakMap<AuthMethod, PrepareInput>()

function prepareFor(manifest: Manifest, method: AuthMethod): PrepareInput {
  let prepare = preparations.get(method)
  if (prepare === undefined) {
    const { definitions } = manifest
    const within = { definitions, pointer: '/credentials', noun: 'credential' }
    prepare = compileInput(method.credentials, within)
    preparations.set(method, prepare)
  }
  return prepare
}

function withoutMethods(manifest: Manifest, credentials: JsonObject): ChosenMethod {
  const names = Object.keys(credentials)
  if (names.length === 0) return { method: null, credentials }
  throw new ConnectorError('credentials_invalid', `${manifest.type} takes no credentials`, {
    errors: names.map((name) => ({
      pointer: `/credentials/${name}`,
      code: 'unknown',
      detail: 'this connector takes no credentials',
    })),
  })
}

function candidatesOf(manifest: Manifest, authMethod: string | undefined): readonly AuthMethod[] {
  if (authMethod === undefined) return manifest.auth
  const named = manifest.auth.filter(({ name }) => name === authMethod)
  if (named.length > 0) return named
  const allowed = manifest.auth.map(({ name }) => name)
  throw methodInvalid(
    `${manifest.type} has no authentication method "${authMethod}"; it has ${allowed.join(', ')}`,
    { code: 'enum', detail: 'is no method of this connector', allowed },
  )
}

function methodInvalid(message: string, problem: Omit<Problem, 'pointer'>): ConnectorError {
  return problemError('credentials_invalid', { pointer: '/auth_method', ...problem }, message)
}

interface Tried {
  readonly method: AuthMethod
  readonly prepared: PreparedInput
}

function noneFits(
  manifest: Manifest,
  tried: readonly Tried[],
  credentials: JsonObject,
): ConnectorError {
  const given = Object.keys(credentials)
  const known = ({ method }: Tried): number => given.filter((name) => isKnown(method, name)).length
  const [closest] = tried.toSorted(
    (a, b) => known(b) - known(a) || a.prepared.problems.length - b.prepared.problems.length,
  )
  const choices = tried.map(
    ({ method }) => `${method.name} (${required(method).join(', ') || 'none'})`,
  )
  const problems = closest?.prepared.problems ?? []
  return new ConnectorError(
    'credentials_invalid',
    tried.length === 1
      ? `the credentials are not valid for ${manifest.type}`
      : (wrongOf(closest, given) ??
          `the credentials fit no method of ${manifest.type}: give those of ${choices.join(' or of ')}`),
    { errors: problems, details: { method: closest?.method.name } },
  )
}

/** What is wrong with credentials that have everything that a method requires; null: they may be meant for another one. */
function wrongOf(closest: Tried | undefined, given: readonly string[]): string | null {
  const names = closest === undefined ? [] : required(closest.method)
  const [first] = closest?.prepared.problems ?? []
  if (first === undefined || names.length === 0) return null
  if (!names.every((name) => given.includes(name))) return null
  return `the credentials of ${closest?.method.name} are not valid: ${first.pointer}: ${first.detail}`
}

function isKnown({ credentials }: AuthMethod, name: string): boolean {
  const properties = credentials.schema['properties'] ?? {}
  return (
    Object.hasOwn(properties as object, name) ||
    credentials.aliases.some(({ alias }) => alias === name)
  )
}

function required({ credentials }: AuthMethod): readonly string[] {
  const names = credentials.schema['required']
  return Array.isArray(names) ? names.map(String) : []
}

function severalFit(manifest: Manifest, allowed: readonly string[]): ConnectorError {
  return methodInvalid(
    `the credentials fit ${allowed.join(' and ')} of ${manifest.type}; say which with auth_method`,
    { code: 'required', detail: 'the credentials fit more than one method', allowed },
  )
}
