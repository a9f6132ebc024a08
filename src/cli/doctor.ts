// `tenon doctor`: what would keep a service from starting or working, each with the way out.
import { diagnose } from '../hosting/doctor/doctor.ts'
import type { Finding } from '../hosting/doctor/finding.ts'
import { type Configure, jsonLines, leaf } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { STORE_OPTIONS } from './service-settings.ts'
import type { Channel, Style } from './terminal.ts'

export const docs = 'operation'
export const notes = `Looks at the settings and packages, what probes and Prometheus see, the data folder, the store, its keys and its
clock, manifests, OAuth clients, secrets of webhooks, and the proxy, through which it connects to hosts of connectors
without a request. It changes nothing and may run while a service does. Exit code 1 when something fails; warnings alone are no failure.`

export const examples: readonly string[] = [
  'tenon doctor',
  'tenon doctor --config tenon.yaml --json',
]

export const configure: Configure = leaf({
  options: { ...STORE_OPTIONS, ...jsonLines('check') },
  async run({ data, config }, { env, terminal }) {
    const value = await diagnose({
      environment: { ...env, ...(data === undefined ? {} : { TENON_DATA: data }) },
      ...(config === undefined ? {} : { configFile: config }),
    })
    const hasFailed = value.some(({ status }) => status === 'fail')
    const shown = report(value, terminal.out)
    return { value, shown, code: hasFailed ? EXIT.failed : EXIT.done }
  },
})

const STYLES: Readonly<Record<Finding['status'], Style>> = {
  ok: 'green',
  warn: 'yellow',
  fail: 'red',
}

function report(findings: readonly Finding[], out: Pick<Channel, 'paint'>): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, status, message, remedy }) => [
    `${out.paint(STYLES[status], status.padEnd(4))}  ${check.padEnd(width)}  ${message}`,
    ...(remedy === null ? [] : [out.paint('dim', `${' '.repeat(width + 8)}→ ${remedy}`)]),
  ])
  const count = (wanted: Finding['status']): number =>
    findings.filter(({ status }) => status === wanted).length
  const sum = `${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failures`
  return `${lines.join('\n')}\n\n${sum}\n`
}
