// What runs and watches the service: probes of Kubernetes, collectors of metrics, packages that settings ask for.
import { findPackageJSON } from 'node:module'
import type { Environment } from '../../service/environment.ts'
import type { ServiceSettings } from '../../service/settings.ts'
import { isConnectorError } from '../../errors.ts'
import { installCommand, PACKAGES_OF } from '../../optional-packages.ts'
import { wantedTelemetry } from '../start-telemetry.ts'
import { type Finding, findingsOf } from './finding.ts'

const PROBES = findingsOf('probes')
const METRICS = findingsOf('metrics')
const PACKAGES = findingsOf('packages')

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1'])

/** Whether probes of a pod reach the service, and learn of its end in time; elsewhere nothing asks. */
export function lookAtProbes(
  { host, port, drainMs, shutdownMs }: ServiceSettings,
  environment: Environment,
): readonly Finding[] {
  if (environment['KUBERNETES_SERVICE_HOST'] === undefined) return []
  if (LOOPBACK.has(host))
    return [PROBES.fail(`${host}:${port} is out of reach for probes`, 'set TENON_HOST=0.0.0.0')]
  if (drainMs === 0)
    return [
      PROBES.warn(
        'the service closes before load balancers know',
        'set TENON_DRAIN_MS to two periods of the readiness probe, such as 5000',
      ),
    ]
  const seconds = Math.ceil((drainMs + shutdownMs) / 1000)
  return [
    PROBES.ok(
      `/readyz and /healthz on port ${port}; terminationGracePeriodSeconds must be above ${seconds}`,
    ),
  ]
}

/** Whether a collector on another machine may read the metrics. */
export function lookAtMetrics({ showsMetrics, metricsToken, host }: ServiceSettings): Finding {
  if (!showsMetrics) return METRICS.ok('/metrics is off')
  if (metricsToken !== null) return METRICS.ok('/metrics is read with TENON_METRICS_TOKEN')
  return LOOPBACK.has(host)
    ? METRICS.ok('/metrics is read on this machine')
    : METRICS.warn(
        '/metrics answers this machine only',
        'set TENON_METRICS_TOKEN and give it to Prometheus, or TENON_METRICS=0',
      )
}

/** Packages that a setting asks for. They come with Tenon, or are installed next to it. */
export function lookAtPackages(
  settings: ServiceSettings,
  environment: Environment,
  isThere: (name: string) => boolean = isInstalled,
): readonly Finding[] {
  const { databaseUrl, mcp, showsMetrics } = settings
  const wanted: readonly (readonly [isWanted: boolean, by: string, names: readonly string[]])[] = [
    [databaseUrl !== null, 'DATABASE_URL', PACKAGES_OF.postgres],
    [mcp !== 'off', 'TENON_MCP', PACKAGES_OF.mcp],
    [showsMetrics, 'TENON_METRICS', PACKAGES_OF.metrics],
  ]
  const findings: Finding[] = []
  for (const [isWanted, by, names] of [...wanted, ...telemetry(environment, findings)]) {
    const missing = isWanted ? names.filter((name) => !isThere(name)) : []
    if (missing.length > 0)
      findings.push(
        PACKAGES.fail(
          `${by} needs ${missing.join(' and ')}, which is not installed`,
          installCommand(missing),
        ),
      )
  }
  return findings.length > 0 ? findings : [PACKAGES.ok('all that the settings ask for is there')]
}

function* telemetry(
  environment: Environment,
  findings: Finding[],
): Generator<readonly [boolean, string, readonly string[]]> {
  try {
    const { traces, metrics } = wantedTelemetry(environment)
    yield [traces || metrics, 'OTEL_*', PACKAGES_OF.telemetry]
  } catch (error) {
    if (!isConnectorError(error, 'config_invalid')) throw error
    findings.push(PACKAGES.fail(error.message, 'correct it in the environment'))
  }
}

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    // Not found. What else could be wrong with a package is told when it is loaded.
    return false
  }
}
