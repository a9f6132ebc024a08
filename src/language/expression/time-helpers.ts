// Helpers over times.
import { type Helper, compiledSecond } from './helper.ts'
import { compileDuration, compileRoundUp, compileTimeFormat } from './time.ts'

/** `date time format`. */
export const dateHelper: Helper = compiledSecond(compileTimeFormat)

/** `add_duration time duration`: the same kind of time as was given. */
export const addDurationHelper: Helper = compiledSecond(compileDuration)

/** `round_up time unit`: the first whole day, hour, minute or second that is not before it, in its offset. */
export const roundUpHelper: Helper = compiledSecond(compileRoundUp)

/** `now`: ISO text in UTC; absent where the scope has no clock. */
export const nowHelper: Helper = {
  min: 0,
  max: 0,
  gives: 'string',
  passes: [],
  compile() {
    return (scope) => (scope.now === undefined ? undefined : new Date(scope.now()).toISOString())
  },
}
