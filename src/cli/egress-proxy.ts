// The proxy of commands that call a third party themselves: that of a service with the same environment.
import type { DirectOptions } from '../client/options.ts'
import { proxyOf } from '../hosting/egress-proxy.ts'
import { type Environment, readEnvironment } from '../service/environment.ts'
import { UsageError } from './exit-codes.ts'

/** Throws UsageError for a proxy that is none: nothing may leave past it. */
export function proxyIn(environment: Environment): DirectOptions['proxy'] {
  const { settings, mistakes } = readEnvironment(environment)
  const mistake = mistakes.find((each) => each.startsWith('TENON_PROXY'))
  if (mistake !== undefined) throw new UsageError(mistake)
  return proxyOf(settings)
}
