// Loaded before a program (`--import`): writes what the process has used so far to a file, again and again, and at its end.
import { writeFileSync } from 'node:fs'

const file = process.env.BENCH_USAGE
const began = process.cpuUsage()

function tell() {
  const { user, system } = process.cpuUsage(began)
  writeFileSync(
    file,
    JSON.stringify({
      cpuSeconds: (user + system) / 1e6,
      mb: process.resourceUsage().maxRSS / 1024,
    }),
  )
}
process.on('exit', tell)
process.on('SIGUSR2', tell)
