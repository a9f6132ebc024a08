// The closed list of helpers. What each does: docs/manifest-language.md, "Expressions".
import { CHOICE_HELPERS } from './choice-helpers.ts'
import { CODE_HELPERS } from './code-helpers.ts'
import { graphqlFieldsHelper } from './graphql-fields.ts'
import type { Helper } from './helper.ts'
import { LIST_HELPERS } from './list-helpers.ts'
import type { HelperName } from './syntax.ts'
import { TEXT_HELPERS } from './text-helpers.ts'
import { TIME_HELPERS } from './time-helpers.ts'
import { TYPE_HELPERS } from './type-helpers.ts'

/** Every helper by name. */
export const HELPERS: Readonly<Record<HelperName, Helper>> = {
  ...CHOICE_HELPERS,
  ...TEXT_HELPERS,
  ...LIST_HELPERS,
  graphql_fields: graphqlFieldsHelper,
  ...TYPE_HELPERS,
  ...CODE_HELPERS,
  ...TIME_HELPERS,
}
