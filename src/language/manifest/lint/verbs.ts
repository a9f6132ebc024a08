// Methods that say something else than their action, bodies that a method does not carry, and addresses that say a part twice.
// These are warnings: vendors do all of this at times.
import { ACTIONS } from '../actions.ts'
import { formIn, httpOf } from '../body-forms/forms.ts'
import type { PlacedAction } from '../draft.ts'
import type { Lint } from './lint.ts'
import { requestsIn, requestsOf } from './request-facts.ts'
import { callsTool } from './tools.ts'

export function lintVerbs(lint: Lint): void {
  for (const action of lint.actions) lintMethod(lint, action)
  for (const { at, source: request } of requestsOf(lint)) {
    const [method = ''] = httpOf(request).split(' ')
    const [word] = formIn(request) ?? []
    if (word === undefined || (method !== 'GET' && method !== 'HEAD')) continue
    const message = `${method} with ${word}: most servers refuse or ignore the body of such a request`
    const hint = 'write these values under query, or send POST'
    lint.warn('request/body-on-get', { at: [...at, 'http'] }, message, hint)
  }
  lintTwice(lint)
}

/** An action that changes records by nothing but GET, and one that removes a record without being a delete. */
function lintMethod(lint: Lint, action: PlacedAction): void {
  const { name, operation, entity } = action
  const { effect } = ACTIONS[name]
  const requests = requestsIn(action)
  const methods = requests.map(({ source }) => httpOf(source).split(' ')[0] ?? '')
  const last = requests.at(-1)
  if (effect === null || last === undefined || callsTool(last.source)) return
  const place = { at: [...last.at, 'http'] }
  if (methods.every((method) => method === 'GET' || method === 'HEAD')) {
    const message = `${operation} ${effect} a record, and sends ${methods.at(-1)}, which only reads at most vendors and is repeated after a failure`
    const usual = USUAL[effect]
    lint.warn(
      'request/reading-method',
      place,
      message,
      `send ${usual}, or make it an action that reads`,
    )
    return
  }
  if (effect === 'removes' || methods.some((method) => method !== 'DELETE')) return
  const address = pathOf(httpOf(last.source))
  const isSame = lint.actions.some(
    (other) =>
      other.entity === entity &&
      (ACTIONS[other.name].effect === null || ACTIONS[other.name].effect === 'removes') &&
      other.source.request !== undefined &&
      pathOf(httpOf(other.source.request)) === address,
  )
  if (!isSame) return
  const message = `${operation} ${effect} a record, and sends DELETE to the address of the record itself`
  lint.warn('request/removing-method', place, message, `send ${USUAL[effect]}, or make it a delete`)
}

function pathOf(http: string): string {
  return http.slice((http.split(' ')[0] ?? '').length)
}

const USUAL = { adds: 'POST', alters: 'PUT or PATCH', removes: 'DELETE' } as const

/** `https://host/api/v2` and `GET /api/v2/users` make `/api/v2/api/v2/users`. */
function lintTwice(lint: Lint): void {
  const urls = [lint.source.server.url].flat()
  const bases = urls.flatMap((url) => {
    const base = /^https:\/\/[^/]+(\/[^{}]+?)\/?$/.exec(url)?.[1]
    return base === undefined ? [] : [base]
  })
  for (const { at, source: request } of requestsOf(lint)) {
    const path = pathOf(httpOf(request)).trim()
    const base = bases.find((each) => path === each || path.startsWith(`${each}/`))
    if (base === undefined || bases.length < urls.length) continue
    const message = `the base URL ends in ${base} already: the request goes to ${base}${base}…`
    const hint = `write ${httpOf(request).replace(base, '')}`
    lint.warn('request/base-twice', { at: [...at, 'http'] }, message, hint)
  }
}
