// Error rules of vendors that answer 200 and say in the body that it failed.
import type { OpenApiOperation } from './document.ts'
import { defined, type Drafting } from './draft-action.ts'
import { flattened, propertiesOf, typesOf } from './draft-schema.ts'

const FLAG = /^(ok|success|successful)$/i
const CODE = /^(error|error_?code|code)$/i
const MESSAGE = /^(message|error_?message|msg|detail|reason)$/i

/** What names of errors say; all others are `invalid`. */
const CLASSES = [
  ['rate_limited', /rate_?limit|too_many/i, 'rate_?limit|too_many'],
  [
    'credentials',
    /^(not_authed|invalid_auth|token_|account_inactive)/i,
    '^(not_authed|invalid_auth|token_|account_inactive)',
  ],
  [
    'forbidden',
    /missing_scope|not_allowed|no_permission|access_denied/i,
    'missing_scope|not_allowed|no_permission|access_denied',
  ],
  ['not_found', /not_found/i, 'not_found'],
] as const

/**
 * `defaults` for `ok: false`; null where less than half of the answers have such a flag. Which names of errors are
 * refused credentials, rates and the like is read from the names that the document lists.
 */
export function draftFailures(
  { document, note }: Drafting,
  operations: readonly OpenApiOperation[],
): Record<string, unknown> | null {
  const answers = operations.flatMap(({ answer }) =>
    answer === null ? [] : [propertiesOf(document, answer)],
  )
  const flags = answers.flatMap((members) =>
    Object.keys(members).filter(
      (name) => FLAG.test(name) && typesOf(flattened(document, members[name])).includes('boolean'),
    ),
  )
  const [flag] = flags
  if (flag === undefined || flags.filter((name) => name === flag).length * 2 < answers.length)
    return null
  const told = operations.flatMap(({ failure }) =>
    failure === null ? [] : [propertiesOf(document, failure)],
  )
  const failures = told.length > 0 ? told : answers
  const named = (pattern: RegExp): string | null =>
    failures
      .flatMap((members) => Object.entries(members))
      .find(
        ([name, one]) => pattern.test(name) && typesOf(flattened(document, one)).includes('string'),
      )?.[0] ?? null
  const code = named(CODE)
  const message = named(MESSAGE)
  const listed = new Set(
    failures.flatMap((members) => {
      const values = code === null ? undefined : flattened(document, members[code])['enum']
      return Array.isArray(values) ? values.map(String) : []
    }),
  )
  const failed = { [`$.${flag}`]: false }
  const rules = [
    ...CLASSES.filter(([, pattern]) => [...listed].some((name) => pattern.test(name))).map(
      ([as, , matches]) => failing({ ...failed, [`$.${code}`]: { matches } }, as),
    ),
    failing(failed, 'invalid'),
  ]
  note(
    `answers with ${flag}: false are errors, of the class that their names say; compare defaults.errors with the vendor`,
  )
  return {
    errors: rules,
    ...((code !== null || message !== null) && {
      error_body: defined({
        message: `{{ response.body.${message ?? code} }}`,
        code: code === null ? null : `$.${code}`,
      }),
    }),
  }
}

function failing(body: object, as: string): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the manifest language
  return { when: { body }, then: 'fail', as }
}
