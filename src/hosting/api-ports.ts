// What the routes of the API need of a service.
import type { mountApi } from '../service/http/api.ts'
import type { Service } from './service.ts'

export function apiPorts(service: Service): Parameters<typeof mountApi>[1] {
  const { settings, clock, routes, tokens, lifecycle, log, metrics, tracing } = service
  return {
    clock,
    routes,
    authenticate({ headers: { authorization } }) {
      return tokens.remembered(authorization) ?? tokens.authenticate(authorization)
    },
    bodyLimitBytes: settings.bodyLimitBytes,
    deadlineMs: settings.deadlineMs,
    rateLimit: settings.rateLimit,
    corsOrigins: settings.corsOrigins,
    lifecycle,
    tracing,
    log,
    answered: (operation) => service.activity.note(operation),
    observe: (route, status, code, tookMs) => metrics.request(route, status, code, tookMs),
  }
}
