// Helpers over times.
import { type Helper, compiledSecond } from './helper.ts'
import type { TimeHelper } from './syntax.ts'
import { compileDuration, compileRoundUp, compileTimeFormat } from './time.ts'

export const TIME_HELPERS: Readonly<Record<TimeHelper, Helper>> = {
  /** `date time format`. */
  date: compiledSecond(compileTimeFormat),
  /** `add_duration time duration`: the same kind of time as was given. */
  add_duration: compiledSecond(compileDuration),
  /** `round_up time unit`: the first whole day, hour, minute or second that is not before it, in its offset. */
  round_up: compiledSecond(compileRoundUp),
  /** `now`: ISO text in UTC; absent where the scope has no clock. */
  now: {
    min: 0,
    max: 0,
    gives: 'string',
    passes: [],
    compile() {
      return (scope) => (scope.now === undefined ? undefined : new Date(scope.now()).toISOString())
    },
  },
}
