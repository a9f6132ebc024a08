// Defaults that follow the clock: { now: -30d } as the expression that gives the time.
import type { Expression, Template } from '../expression/syntax.ts'
import type { ClockDefaultSource } from './source.ts'

/** How far from the time of the call, as it was written, and how it is written for the parameter. */
export interface ClockDefault {
  readonly now: string
  readonly format: string
}

/** The default with what it leaves out: text of ISO 8601 in UTC. */
export function clockDefault({ now, format = 'iso' }: ClockDefaultSource): ClockDefault {
  return { now, format }
}

/** The value of a clock default, over the clock of the scope. */
export function clockTemplate({ now, format }: ClockDefault): Template {
  const literal = (value: string): Expression => ({ kind: 'literal', value })
  const call: Expression = { kind: 'call', helper: 'now', args: [] }
  const moved: Expression = {
    kind: 'call',
    helper: 'add_duration',
    args: [call, literal(isoDuration(now))],
  }
  const expression: Expression = { kind: 'call', helper: 'date', args: [moved, literal(format)] }
  return { kind: 'value', expression }
}

/** `-30d` as `-P30D`; what is written so already stays. */
function isoDuration(text: string): string {
  const [, sign = '', amount = '', unit = ''] = /^(-?)(\d+)([smhd])$/.exec(text) ?? []
  if (unit === '') return text
  return unit === 'd' ? `${sign}P${amount}D` : `${sign}PT${amount}${unit.toUpperCase()}`
}
