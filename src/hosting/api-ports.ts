// What the routes of the API need of a service.
import type { ApiPorts } from '../service/http/api.ts'
import { createWindow } from '../service/tokens/rate-window.ts'
import type { Service } from './service.ts'

/** Whatever is mounted with the same ports counts requests together. */
export function apiPorts(service: Omit<Service, 'connect' | 'inProcess'>): ApiPorts {
  const { settings, clock, routes, tokens, lifecycle, log, metrics, tracing, bodies } = service
  const { rateLimit } = settings
  return {
    clock,
    routes,
    authenticate({ authorization }) {
      return tokens.remembered(authorization) ?? tokens.authenticate(authorization)
    },
    bodyLimitBytes: settings.bodyLimitBytes,
    bodies,
    timeoutMs: settings.deadlineMs,
    rateLimit:
      rateLimit === null
        ? null
        : {
            ...rateLimit,
            window: createWindow(clock, { count: rateLimit.count, ms: rateLimit.seconds * 1000 }),
          },
    trustProxy: settings.trustProxy,
    corsOrigins: settings.corsOrigins,
    lifecycle,
    tracing,
    log,
    refused: (access) => service.refusals.note(access),
    answered: (organizationId, operation) => service.activity.note(organizationId, operation),
    observe: (route, status, code, tookMs) => metrics.request(route, status, code, tookMs),
  }
}
