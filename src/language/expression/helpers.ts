// The closed list of helpers. What each does: docs/manifest-language.md, "Expressions".
import { CHOICE_HELPERS } from './choice-helpers.ts'
import { CODE_HELPERS } from './code-helpers.ts'
import { graphqlFieldsHelper } from './graphql-fields.ts'
import { compiledSecond, type Helper } from './helper.ts'
import { LIST_HELPERS } from './list-helpers.ts'
import type { HelperName, TimeHelper } from './syntax.ts'
import { TEXT_HELPERS } from './text-helpers.ts'
import { compileDuration, compileRoundUp, compileTimeFormat } from './time.ts'
import { TYPE_HELPERS } from './type-helpers.ts'

const TIME_HELPERS: Readonly<Record<TimeHelper, Helper>> = {
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

export const HELPERS: Readonly<Record<HelperName, Helper>> = {
  ...CHOICE_HELPERS,
  ...TEXT_HELPERS,
  ...LIST_HELPERS,
  graphql_fields: graphqlFieldsHelper,
  ...TYPE_HELPERS,
  ...CODE_HELPERS,
  ...TIME_HELPERS,
}
