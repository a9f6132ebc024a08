// `tenon doctor`: what a start of the service would stumble over, each with the way out.
import { diagnose } from '../hosting/doctor/doctor.ts'
import type { Finding } from '../hosting/doctor/finding.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { SettingsFlags } from './service-settings.ts'
import type { Channel, Style } from './terminal.ts'

interface DoctorFlags extends SettingsFlags {
  readonly json?: boolean
}

export const notes = `Looks at the settings, the data folder, the store, its keys and its clock, OAuth clients and manifests. It changes
nothing and may run beside a service. Exit code 1 when something fails; warnings alone are no failure.`

export const examples: CommandModule['examples'] = [
  'tenon doctor',
  'tenon doctor --config tenon.yaml --json',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .option('--data <folder>', 'folder of the embedded store')
    .option('--config <file>', 'YAML file with settings')
    .option('--json', 'print JSON')
    .action(async (flags: DoctorFlags) => done(await doctor(flags, context)))
}

async function doctor(flags: DoctorFlags, { env, terminal }: CommandContext): Promise<ExitCode> {
  const findings = await diagnose({
    environment: { ...env, ...(flags.data === undefined ? {} : { TENON_DATA: flags.data }) },
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  })
  const { out } = terminal
  if (flags.json === true) out.write(`${JSON.stringify(findings)}\n`)
  else out.write(report(findings, out))
  return findings.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.done
}

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
