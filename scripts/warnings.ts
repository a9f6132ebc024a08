// A build that warns is wrong: what it warns of is mended, or named here with the reason.
import type { InputOptions } from 'rolldown'

/** Options of a bundler with which a warning is an error. */
export const NO_WARNINGS = {
  // How long plugins take is told of the machine.
  checks: { pluginTimings: false },
  onLog(level, { code, message }) {
    if (level === 'warn') throw new Error(`${code ?? 'warning'}: ${message}`)
  },
} satisfies InputOptions
