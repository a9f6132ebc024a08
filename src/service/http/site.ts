// Handlers by path and method, without a framework: the paths of the API, of the pages and of the files alike.
import { parse as parseQuery } from 'node:querystring'
import { ConnectorError } from '../../errors.ts'
import type { Answer, Arrival } from './arrival.ts'
import { compressed } from './compress.ts'

export interface Call<A extends Arrival = Arrival> {
  readonly arrival: A
  /** Parameters of the path, decoded; `*`: what stands in place of a closing `*`. */
  readonly path: Readonly<Record<string, string>>
  /** By name; a list where a name is given more than once. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** null: the handler has answered by means of its own. */
export type Handler<A extends Arrival = Arrival> = (
  call: Call<A>,
) => Promise<Answer | null> | Answer | null

export type Mounts = Pick<Site, 'on'>

interface Place<A extends Arrival> {
  /** By method; `*` is any other. Empty: only paths below this one are known. */
  readonly handlers: Map<string, Handler<A>>
  names: readonly string[]
  readonly fixed: Map<string, Place<A>>
  parameter: Place<A> | null
  rest: Place<A> | null
}

/** Of one part of a path that stands for a parameter. */
const MAX_PARAMETER_CHARACTERS = 100

export class Site<A extends Arrival = Arrival> {
  readonly #root = emptyPlace<A>()
  readonly #refuse: (arrival: A, error: unknown) => Answer

  /** `refuse` answers for what leads nowhere, and for handlers that throw. */
  constructor(refuse: (arrival: A, error: unknown) => Answer) {
    this.#refuse = refuse
  }

  /**
   * Leads a path to a handler. Parameters stand in braces, `*` at the end is anything below. The method `*` is any that
   * is not mounted; GET answers HEAD too. What is written wins over a parameter, a parameter over `*`.
   */
  on(methods: string | readonly string[], path: string, handler: Handler<A>): void {
    let place = this.#root
    const names: string[] = []
    for (const part of path.slice(1).split('/')) {
      if (part === '*') {
        names.push('*')
        place = place.rest ??= emptyPlace()
      } else if (part.startsWith('{')) {
        names.push(part.slice(1, -1))
        place = place.parameter ??= emptyPlace()
      } else {
        const next = place.fixed.get(part) ?? emptyPlace()
        place.fixed.set(part, next)
        place = next
      }
    }
    place.names = names
    for (const method of [methods].flat()) place.handlers.set(method, handler)
  }

  /** Answers a request; null: its handler did. Never rejects, and is no promise where nothing is waited for. */
  answer(arrival: A): ReturnType<Handler> {
    try {
      const { url, method } = arrival
      const at = url.indexOf('?')
      const parts = partsOf(at < 0 ? url : url.slice(0, at))
      const values: string[] = []
      const place = find(this.#root, parts, 0, values)
      if (place === null) throw pathUnknown()
      const { handlers, names } = place
      const handler =
        handlers.get(method) ??
        (method === 'HEAD' ? handlers.get('GET') : undefined) ??
        handlers.get('*')
      if (handler === undefined) {
        if (method === 'OPTIONS') return optionsAnswer([...handlers.keys()])
        throw methodRefused(method, [...handlers.keys()])
      }
      const path: Record<string, string> = {}
      for (const [index, name] of names.entries()) path[name] = values[index] ?? ''
      const query = at < 0 ? NO_QUERY : parseQuery(url.slice(at + 1))
      const answered = handler({ arrival, path, query })
      if (!(answered instanceof Promise)) return encoded(arrival, answered)
      return answered.then(
        (answer) => encoded(arrival, answer),
        (error: unknown) => this.#refuse(arrival, error),
      )
    } catch (error) {
      return this.#refuse(arrival, error)
    }
  }
}

function encoded(arrival: Arrival, answer: Answer | null): ReturnType<Handler> {
  return answer?.compressible === undefined ? answer : compressed(arrival, answer)
}

export function pathUnknown(): ConnectorError {
  return new ConnectorError(
    'route_unknown',
    'there is no such path; /openapi.json lists those there are',
  )
}

/** `method_not_allowed`, with the methods that are. */
export function methodRefused(method: string, allowed: readonly string[]): ConnectorError {
  const allow = allowIn(allowed)
  return new ConnectorError('method_not_allowed', `${method} is not possible here; ${allow} are`, {
    details: { allow },
  })
}

/** What may be done, for those who ask first. Source: RFC 9110 section 9.3.7. */
export function optionsAnswer(
  allowed: readonly string[],
  headers: Record<string, string> = {},
): Answer {
  return { status: 204, headers: { ...headers, allow: allowIn(allowed) }, content: null }
}

/** The value of `Allow`: what GET answers HEAD answers too, and OPTIONS is answered everywhere. */
function allowIn(methods: readonly string[]): string {
  const head = methods.includes('GET') ? ['HEAD'] : []
  return [...new Set([...methods.filter((each) => each !== '*'), ...head, 'OPTIONS'])].join(', ')
}

const NO_QUERY = {}

function emptyPlace<A extends Arrival>(): Place<A> {
  return { handlers: new Map(), names: [], fixed: new Map(), parameter: null, rest: null }
}

/** The parts of a path, decoded; a slash at the end says nothing. Throws `request_malformed`. */
function partsOf(given: string): readonly string[] {
  // Proxies may be asked with a whole address: RFC 9112, section 3.2.2.
  const path = given.startsWith('/') ? given : given.replace(/^https?:\/\/[^/]*/i, '')
  const parts = path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')
  if (!path.includes('%')) return parts
  try {
    return parts.map(decodeURIComponent)
  } catch (cause) {
    const message = 'the path of the request cannot be decoded'
    throw new ConnectorError('request_malformed', message, { cause })
  }
}

/** The place that a path leads to, with the values of its parameters in `values`. Throws `route_unknown`. */
function find<A extends Arrival>(
  place: Place<A>,
  parts: readonly string[],
  index: number,
  values: string[],
): Place<A> | null {
  const part = parts[index]
  if (part === undefined) return place.handlers.size > 0 ? place : null
  const fixed = place.fixed.get(part)
  const found = fixed === undefined ? null : find(fixed, parts, index + 1, values)
  if (found !== null) return found
  if (place.parameter !== null && part !== '') {
    values.push(part)
    const below = find(place.parameter, parts, index + 1, values)
    if (below !== null) {
      if (part.length > MAX_PARAMETER_CHARACTERS)
        throw new ConnectorError('route_unknown', 'a part of the path is too long')
      return below
    }
    values.pop()
  }
  if (place.rest !== null) values.push(parts.slice(index).join('/'))
  return place.rest
}
