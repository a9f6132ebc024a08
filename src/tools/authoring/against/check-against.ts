// A manifest next to the vendor's own document: every action's path, verb, parameters, body, records and scopes.
import type { DocumentPath } from '../../../language/manifest/document.ts'
import { matchAccess } from '../../../language/manifest/access/all-access.ts'
import type { Action, Entity, Manifest, Step } from '../../../language/manifest/manifest.ts'
import { inWords } from '../../../language/manifest/suggest.ts'
import type { OpenApiDocument, OpenApiOperation } from '../openapi/document.ts'
import { compareAnswer } from './compare-answer.ts'
import { compareRequest } from './compare-request.ts'
import { nearName, type Place, tell } from './compare-value.ts'
import { type Finding, Findings } from './finding.ts'
import { matchRequest } from './match.ts'

export interface Checked {
  /** In the order of the manifest. */
  readonly findings: readonly Finding[]
  /** What the manifest uses of the document, each once. */
  readonly operations: readonly OpenApiOperation[]
  /** Requests that were compared, of how many; the others go to hosts that the document does not speak of. */
  readonly compared: number
  readonly requests: number
}

/** Compares every request of a manifest with the operation of the document that it is. */
export function checkAgainst(manifest: Manifest, document: OpenApiDocument): Checked {
  const findings = new Findings()
  const tally: Tally = {
    manifest,
    document,
    findings,
    operations: new Set(),
    compared: 0,
    requests: 0,
  }
  if (manifest.check?.kind === 'request')
    requestOf(
      tally,
      null,
      { request: manifest.check.request, test: null },
      { name: 'check', at: ['check', 'request'] },
    )
  for (const entity of manifest.entities) checkEntity(entity, tally)
  const { operations, compared, requests } = tally
  return { findings: findings.all(), operations: [...operations], compared, requests }
}

interface Tally {
  readonly manifest: Manifest
  readonly document: OpenApiDocument
  readonly findings: Findings
  readonly operations: Set<OpenApiOperation>
  compared: number
  requests: number
}

function checkEntity(entity: Entity, tally: Tally): void {
  const records: Findings[] = []
  for (const action of entity.actions) {
    const at = ['entities', entity.name, 'actions', action.name]
    const name = `${entity.name}.${action.name}`
    const matched = action.steps.map((step, index) => {
      const isOnly = action.steps.length === 1
      const own = isOnly ? [] : ['steps', index]
      const called = isOnly ? name : `${name} step ${step.name}`
      return requestOf(tally, action, step, { name: called, at: [...at, ...own, 'request'] })
    })
    const operations = matched.filter((operation) => operation !== null)
    if (operations.length === matched.length) checkScopes(action, operations, tally, { name, at })
    for (const operation of operations) {
      if (!operation.deprecated || action.deprecated !== false) continue
      const { method, path } = operation
      const message = `the document calls ${method} ${path} deprecated`
      tally.findings.add({ kind: 'deprecated', level: 'warning', place: name, message, at })
    }
    const answer = matched.at(-1)?.answer ?? null
    if (answer === null) continue
    const own = new Findings()
    compareAnswer(action, entity, answer, placeOf(tally, { name, at }, own))
    records.push(own)
  }
  for (const one of together(records)) tally.findings.add(one)
}

/** A member of the record is unknown when no action that gives the record knows it. */
function together(records: readonly Findings[]): readonly Finding[] {
  const lists = records.map((findings) => findings.all())
  const tellsOf = (list: readonly Finding[], one: Finding): boolean =>
    list.some(({ kind, place }) => kind === one.kind && place === one.place)
  const isOfRecord = ({ at }: Finding): boolean => at[2] === 'record'
  const compared = lists.length
  return lists.flat().filter((one) => {
    if (one.kind !== 'unknown' || !isOfRecord(one)) return true
    return lists.filter((list) => tellsOf(list, one)).length === compared
  })
}

interface Named {
  readonly name: string
  readonly at: DocumentPath
}

/** The operation that a request is, after it was compared with it; null: there is none. */
function requestOf(
  tally: Tally,
  action: Action | null,
  { request, test }: Pick<Step, 'request' | 'test'>,
  named: Named,
): OpenApiOperation | null {
  const { manifest, document, findings } = tally
  tally.requests++
  const match = matchRequest(request, manifest, document)
  if (match.kind === 'elsewhere') return null
  tally.compared++
  const place = placeOf(tally, named, findings)
  if (match.kind === 'found') {
    const { operation } = match
    tally.operations.add(operation)
    compareRequest({ manifest, action, request, operation, test }, place)
    return operation
  }
  const { method } = request
  if (match.kind === 'none')
    tell(place, {
      kind: 'unknown',
      level: 'error',
      message: `the document has no ${method} ${match.path}`,
      hint: match.near === null ? null : `did you mean ${match.near}?`,
    })
  else
    tell(place, {
      kind: 'stale',
      level: 'error',
      message: `the document has ${inWords(match.verbs)} ${match.path}, no ${method}`,
    })
  return null
}

function placeOf({ manifest, document }: Tally, named: Named, findings: Findings): Place {
  const { definitions } = manifest
  return { ...named, direction: 'json', definitions, follow: document.follow, findings }
}

function checkScopes(
  { scopes }: Action,
  operations: readonly OpenApiOperation[],
  tally: Tally,
  { name, at }: Named,
): void {
  const place = placeOf(tally, { name: `${name} scopes`, at: [...at, 'scopes'] }, tally.findings)
  const known = new Set(operations.flatMap(scopesOf))
  if (known.size === 0) return
  for (const scope of scopes.filter((each) => !known.has(each)))
    tell(place, {
      kind: 'unknown',
      level: 'error',
      message: `the document does not ask for ${scope}`,
      hint: nearName(scope, [...known]),
    })
  const needsConsent = tally.manifest.auth.some((method) =>
    matchAccess(method, { session: () => false, oauth2: () => true, oauth1: () => false }),
  )
  for (const operation of operations) {
    const wanted = scopesOf(operation)
    if (wanted.length === 0 || wanted.some((each) => scopes.includes(each)) || !needsConsent)
      continue
    tell(place, {
      kind: 'missing',
      level: 'error',
      message: `the document asks for ${inWords(wanted)}`,
    })
  }
}

/** The scopes of an operation, any of which may be enough; where only its text names them, those. */
export function scopesOf({ scopes, description }: OpenApiOperation): readonly string[] {
  if (scopes.length > 0) return scopes
  const named = [...(description ?? '').matchAll(NAMED_SCOPE)].map(([, scope = '']) => scope)
  return [...new Set(named)]
}

const NAMED_SCOPE = /\bscopes? ['"`]([\w.:/-]+)['"`]/g
