// What finishes a connection once there is a token: the site it is for, a token that lives longer.
import { ConnectorError } from '../../errors.ts'
import { whenLoaded } from '../../late-modules.ts'
import { compileExpression, compileText, isTrue } from '../../language/expression/evaluate.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { AfterToken } from '../../language/manifest/manifest.ts'
import { compileFollowUp } from './follow-up.ts'
import type { Material, MethodContext } from './material.ts'
import { namesIn } from '../../language/expression/paths-in.ts'
import { compileStores, isStored, type RefusedValue } from './stored-values.ts'

export interface ConnectionFinisher {
  isDue(phase: AfterToken['on'], material: Material): boolean
  /**
   * Runs the requests of a phase in order: `consent` right after the code exchange, `connect` while what they store is
   * absent. Throws what the requests throw; `config_invalid` with the labels in `allowed` when none of several choices
   * is the one; `upstream_malformed` when the answer lacks what is to be stored; `destination_refused` when it must
   * not be.
   */
  run(phase: AfterToken['on'], material: Material): Promise<Material>
}

/** Compiles `after_token` of a method. */
export function compileAfterToken(
  context: MethodContext,
  steps: readonly AfterToken[],
): ConnectionFinisher {
  const { manifest, method, view } = context
  const requests = steps.map((step) => ({
    ...step,
    test: step.test === null ? null : compileExpression(step.test),
    send: compileFollowUp(context, step.request, 'after_token'),
    choose: step.choose === null ? null : compileChoice(step.choose, step.store),
    keep: compileStores(manifest, method, step.store),
  }))
  const isDue = (
    step: (typeof requests)[number],
    phase: AfterToken['on'],
    material: Material,
  ): boolean =>
    step.on === phase &&
    (phase === 'consent' || !isStored(step.store, material)) &&
    (step.test === null || isTrue(step.test(view.scopeOf(material))))
  return {
    isDue: (phase, material) => requests.some((step) => isDue(step, phase, material)),
    async run(phase, material) {
      let current = material
      for (const step of requests) {
        if (!isDue(step, phase, current)) continue
        const scope = view.scopeOf(current)
        const answer = await step.send(scope, view.appliedOf(current))
        const source = step.choose === null ? answer : step.choose(answer, scope)
        const before = current
        const { material: next, refused } = await whenLoaded(() => step.keep(source, before))
        refuseUnfinished(refused)
        current = next
      }
      return current
    },
  }
}

/** Without these values there is no connection, so unlike with a refresh a refused one is an error. */
function refuseUnfinished(refused: readonly RefusedValue[]): void {
  const [first] = refused
  if (first === undefined) return
  throw new ConnectorError(
    first.reason === 'destination' ? 'destination_refused' : 'upstream_malformed',
    `the answer that finishes the connection gives no usable ${first.target}: ${first.detail}`,
    { details: { targets: refused.map(({ target }) => target) } },
  )
}

type Choice = NonNullable<AfterToken['choose']>

function compileChoice(
  choose: Choice,
  stores: AfterToken['store'],
): (answer: Json, scope: Scope) => Json {
  const listIn = compileBodyPath(choose.from)
  const labelOf = compileBodyPath(choose.label)
  const kept = stores.map(({ at }) => compileBodyPath(at))
  const matches = choose.match.map(({ at, value }) => ({
    pick: compileBodyPath(at),
    wanted: compileText(value),
  }))
  const settings = [...new Set(choose.match.flatMap(({ value }) => namesIn(value, 'config')))]
  return (answer, scope) => {
    const list = listIn(answer)
    if (!Array.isArray(list)) {
      throw new ConnectorError(
        'upstream_malformed',
        `the answer that finishes the connection has no list at ${choose.from.source}`,
      )
    }
    const elements = withoutRepetitions(list as readonly Json[], kept)
    const wanted = matches.map(({ pick, wanted }) => ({ pick, value: wanted(scope) }))
    const complete = wanted.length > 0 && wanted.every(({ value }) => value !== undefined)
    const found = complete
      ? elements.filter((element) => wanted.every(({ pick, value }) => pick(element) === value))
      : elements
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    throw noChoice(
      settings,
      elements.map((element) => labelOf(element) ?? null),
      complete,
    )
  }
}

/** A vendor may list one choice several times, for example once per product: what would be stored tells them apart. */
function withoutRepetitions(
  list: readonly Json[],
  kept: readonly ((element: Json) => Json | undefined)[],
): readonly Json[] {
  const same = (a: Json, b: Json): boolean =>
    kept.every((pick) => jsonEqual(pick(a) ?? null, pick(b) ?? null))
  return list.filter((element, index) => list.findIndex((other) => same(other, element)) === index)
}

function noChoice(
  settings: readonly string[],
  allowed: readonly Json[],
  complete: boolean,
): ConnectorError {
  const names = settings.length === 0 ? 'the settings' : settings.join(', ')
  const detail =
    allowed.length === 0
      ? 'these credentials reach nothing; the user must grant access to at least one'
      : complete
        ? 'does not name one of those these credentials reach'
        : 'must say which of those these credentials reach is meant'
  return new ConnectorError(
    'config_invalid',
    `${names} ${detail}: ${allowed.map(String).join(', ')}`,
    {
      errors: (settings.length === 0 ? [''] : settings).map((name) => ({
        pointer: name === '' ? '/config' : `/config/${name}`,
        code: 'choice',
        detail,
        allowed,
      })),
    },
  )
}
