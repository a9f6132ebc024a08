import { expect, test } from 'vitest'
import { explainError, PARAMS_AT_TOP, PARAMS_INSIDE } from '../../src/agents/explain-error.ts'
import { ConnectorError, type StepReport } from '../../src/errors.ts'

const refused = (...steps: readonly StepReport[]): ConnectorError =>
  new ConnectorError('upstream_rejected', 'edit was applied; transition failed: no', {
    outcome: 'uncertain',
    steps,
  })
const edit: StepReport = { step: 1, name: 'edit', outcome: 'applied' }

test.for<{ name: string; error: ConnectorError; want: string }>([
  {
    name: 'what was done and what is left',
    error: refused(edit, { step: 2, name: 'transition', outcome: 'not_applied' }),
    want: 'Done: edit; do not send it again. Not done: transition; mend what the message names and call again, with that part only.',
  },
  {
    name: 'what is not known of it',
    error: refused(edit, { step: 2, name: 'transition', outcome: 'uncertain' }),
    want: 'Done: edit; do not send it again. Not known: transition. Read the record; if it is missing, call again with that part only.',
  },
  {
    name: 'that nothing is known where the only request was lost',
    error: refused({ step: 1, name: 'edit', outcome: 'uncertain' }),
    want: 'It is not known whether the change was made. Read the record before you decide to repeat it.',
  },
])('a change by several requests tells $name', ({ error, want }) =>
  expect(explainError(error, PARAMS_INSIDE)['how_to_mend']).toBe(want),
)

test('the steps of a change are told with what became of them', () => {
  const failed: StepReport = { step: 2, name: 'transition', outcome: 'not_applied' }
  expect(explainError(refused(edit, failed), PARAMS_INSIDE)['error']).toEqual({
    code: 'upstream_rejected',
    message: 'edit was applied; transition failed: no',
    retryable: false,
    outcome: 'uncertain',
    steps: [
      { step: 'edit', outcome: 'applied' },
      { step: 'transition', outcome: 'not_applied' },
    ],
  })
})

test('the message tells the first problem at its place in the input, and how many there are', () => {
  const error = new ConnectorError('params_invalid', 'jira issues.get: /params/a: must be text', {
    errors: [
      { pointer: '/params/a', code: 'type', detail: 'must be text' },
      { pointer: '/params/b', code: 'unknown', detail: 'unknown parameter', allowed: ['a'] },
    ],
  })
  expect(
    explainError(error, { ...PARAMS_AT_TOP, members: ['a', 'answer_fields'] })['error'],
  ).toEqual({
    code: 'params_invalid',
    message: 'jira issues.get: /a: must be text (the first of 2 problems)',
    problems: [
      { at: '/a', detail: 'must be text' },
      { at: '/b', detail: 'unknown parameter', allowed: ['a', 'answer_fields'] },
    ],
    retryable: false,
  })
})

test('a problem of the third party without a place keeps the whole message', () => {
  const message =
    'Jira: issues_assignee.update was rejected (status 400). The third party said: "nobody does not exist"'
  const error = new ConnectorError('upstream_rejected', message, {
    errors: [{ pointer: '', code: 'upstream', detail: 'assignee: nobody does not exist' }],
  })
  expect(explainError(error, PARAMS_INSIDE)['error']).toEqual({
    code: 'upstream_rejected',
    message,
    problems: [{ detail: 'assignee: nobody does not exist' }],
    retryable: false,
  })
})
