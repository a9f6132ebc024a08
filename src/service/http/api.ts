// The routes of the table on a site, under their prefixes and all their spellings. Checks and answers are the exchange's.
import { ConnectorError } from '../../errors.ts'
import type { Route } from '../route.ts'
import type { Principal } from '../tokens/principal.ts'
import type { Answer, Arrival } from './arrival.ts'
import { ArrivingForm, isForm } from './form.ts'
import { type Destination, type ExchangePorts, HttpExchange } from './exchange.ts'
import { type CheckInputs, inputsOf } from './inputs.ts'
import { type Call, methodRefused, type Mounts, optionsAnswer } from './site.ts'

const PREFIXES = ['/v1', '/api/v1'] as const

export interface ApiPorts extends ExchangePorts {
  readonly routes: readonly Route[]
  readonly bodyLimitBytes: number
}

/** The answer for what leads to no route, or for an error outside of one. `principal`: who is refused, where that is known. */
export function refuse(
  ports: ExchangePorts,
  arrival: Arrival,
  error: unknown,
  principal: Principal | null = null,
): Answer {
  const exchange = new HttpExchange(ports, arrival, null)
  if (principal !== null) exchange.refuses(principal)
  try {
    exchange.open()
  } catch (closed) {
    return exchange.renderProblem(closed)
  }
  return exchange.renderProblem(error)
}

/** Mounts every route. `under`: what stands before the prefixes; in the traces of a host's own server, what it adds. */
export function mountApi(
  site: Mounts,
  ports: ApiPorts,
  {
    under = '',
    shownUnder = under,
  }: { readonly under?: string; readonly shownUnder?: string } = {},
): void {
  const methods = new Map<string, string[]>()
  for (const route of ports.routes) {
    const checkInputs = inputsOf(route)
    for (const spelling of [route.path, ...route.aliases]) {
      for (const prefix of PREFIXES) {
        const path = under + prefix + spelling
        methods.set(path, [...(methods.get(path) ?? []), route.method])
        const destination = { route, checkInputs, path: shownUnder + prefix + spelling }
        site.on(route.method, path, (call) => answer(ports, destination, call))
      }
    }
  }
  for (const [path, allowed] of methods)
    site.on('*', path, ({ arrival }) => refuseMethod(ports, arrival, allowed))
}

async function answer(
  ports: ApiPorts,
  destination: Destination & { readonly route: Route; readonly checkInputs: CheckInputs },
  { arrival, path, query }: Call,
): Promise<Answer> {
  const { route, checkInputs } = destination
  const exchange = new HttpExchange(ports, arrival, destination)
  // What is refused before it is checked is told of all the same.
  exchange.path = path
  try {
    const waits = exchange.admit()
    if (waits !== undefined) await waits
    if (route.raw !== undefined)
      return await answerRaw(route, route.raw, exchange, { arrival, path })
    if (route.takesFiles === true && isForm(arrival.headers))
      return await answerForm(ports, destination, exchange, { arrival, path, query })
    const arriving = route.method === 'GET' ? NO_BODY : arrival.body(bodyLimitOf(route, ports))
    const bytes = arriving instanceof Promise ? await arriving : arriving
    const reading = exchange.readBody(bytes)
    const body = reading instanceof Promise ? await reading : reading
    return exchange.render(await exchange.run(route, checkInputs({ path, query, body })))
  } catch (error) {
    return exchange.renderProblem(error)
  }
}

/** A body whose files stand behind it and are read by the route. */
async function answerForm(
  { bodyLimitBytes }: ApiPorts,
  { route, checkInputs }: { readonly route: Route; readonly checkInputs: CheckInputs },
  exchange: HttpExchange,
  { arrival, path, query }: Call,
): Promise<Answer> {
  const form = await ArrivingForm.open(arrival.headers, arrival.stream(), bodyLimitBytes)
  try {
    const { files = {}, ...body } = (await exchange.readJson(form.operation)) ?? {}
    exchange.files = await form.files(files)
    arrival.takeTime()
    return exchange.render(await exchange.run(route, checkInputs({ path, query, body })))
  } finally {
    exchange.note({ bytes: form.bytes })
    form.close()
  }
}

/** How many requests of raw routes are under way. */
const underWay = new WeakMap<Route, number>()

async function answerRaw(
  route: Route,
  { limitBytes, atOnce }: NonNullable<Route['raw']>,
  exchange: HttpExchange,
  { arrival, path }: Pick<Call, 'arrival' | 'path'>,
): Promise<Answer> {
  const count = underWay.get(route) ?? 0
  if (count >= atOnce)
    throw new ConnectorError('overloaded', 'too many of these are under way', {
      retryAfterMs: 1000,
    })
  underWay.set(route, count + 1)
  try {
    exchange.bytes = route.method === 'GET' ? NO_BODY : await arrival.body(limitBytes)
    return exchange.render(await exchange.run(route, { path, query: {}, body: {} }))
  } finally {
    underWay.set(route, (underWay.get(route) ?? 1) - 1)
  }
}

/** What GET sends is not looked at. */
const NO_BODY = Buffer.alloc(0)
/** Of callers that are not known yet: nobody counts what they send. */
const UNKNOWN_BODY_BYTES = 32 * 1024

function bodyLimitOf({ token }: Route, { bodyLimitBytes }: ApiPorts): number {
  return token === 'none' ? Math.min(UNKNOWN_BODY_BYTES, bodyLimitBytes) : bodyLimitBytes
}

/** 405 with the methods that exist; for OPTIONS they alone, with what a browser asks before it calls from another origin. */
function refuseMethod(ports: ApiPorts, arrival: Arrival, allowed: readonly string[]): Answer {
  const exchange = new HttpExchange(ports, arrival, null)
  try {
    exchange.open()
    const { headers } = exchange
    if (arrival.method !== 'OPTIONS') throw methodRefused(arrival.method, allowed)
    if (headers['access-control-allow-origin'] === undefined) return optionsAnswer(allowed, headers)
    headers['access-control-allow-methods'] = allowed.join(', ')
    headers['access-control-allow-headers'] =
      'authorization, content-type, idempotency-key, if-match, if-none-match, prefer, range, x-request-id'
    headers['access-control-max-age'] = '600'
    return optionsAnswer(allowed, headers)
  } catch (error) {
    return exchange.renderProblem(error)
  }
}
