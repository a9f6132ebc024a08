import { expect, test } from 'vitest'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { ErrorBody, ErrorRuleTemplate } from '../../../src/language/manifest/manifest.ts'
import { VendorRefusal, writeRefusal } from '../../../src/sandbox/wire/refusal.ts'

const rule: ErrorRuleTemplate = {
  status: [],
  body: [],
  headers: [],
  effect: 'fail',
  as: null,
  outcome: null,
  message: null,
}

function write(
  message: string,
  refusal: VendorRefusal,
  more: Partial<ErrorBody> = {},
  rules: ErrorRuleTemplate[] = [],
) {
  const errorBody = {
    message: parseTemplate(message),
    code: null,
    requestId: null,
    fields: null,
    ...more,
  }
  return writeRefusal(refusal, { errorBody, rules, requestId: 'r1' })
}

test('a joined message is written as a list, the id beside it', () => {
  const refusal = new VendorRefusal('not_found', 'Nothing there')
  expect(
    write("{{ join response.body.errors '; ' }}", refusal, { requestId: parsePath('$.requestId') }),
  ).toEqual({ status: 404, headers: {}, body: { errors: ['Nothing there'], requestId: 'r1' } })
})

test('of a choice the text that is shown is written, and the fields where they are looked for', () => {
  const refusal = new VendorRefusal('invalid', 'Wrong', { fields: { name: 'is missing' } })
  const message =
    "{{ if (first response.body.errorMessages) (join response.body.errorMessages ' ') (json response.body.errors) }}"
  expect(write(message, refusal, { fields: parsePath('$.errors') })).toEqual({
    status: 400,
    headers: {},
    body: { errorMessages: ['Wrong'], errors: { name: 'is missing' } },
  })
})

test('problems are listed where the manifest looks for them, or the first where it looks for one', () => {
  const refusal = new VendorRefusal('invalid', 'Wrong', {
    fields: { name: 'is missing', size: 'is no number' },
  })
  const [field, message] = [parsePath('$.field'), parsePath('$.text')]
  const text = '{{ response.body.error.message }}'
  expect(
    write(text, refusal, { problems: { each: parsePath('$.errors[*]'), field, message } }).body,
  ).toEqual({
    error: { message: 'Wrong' },
    errors: [
      { field: 'name', text: 'is missing' },
      { field: 'size', text: 'is no number' },
    ],
  })
  const param = parsePath('$.param')
  expect(
    write(text, refusal, { problems: { each: parsePath('$.error'), field: param } }).body,
  ).toEqual({ error: { message: 'Wrong', param: 'name' } })
})

test('of several values the one that is named like a message gets it', () => {
  const refusal = new VendorRefusal('unauthorized', 'Who are you?')
  expect(write('{{ response.body.kind }}: {{ response.body.error.message }}', refusal)).toEqual({
    status: 401,
    headers: {},
    body: { error: { message: 'Who are you?' } },
  })
})

test('the codes that the error rules test for this kind are written, with their status', () => {
  const refusal = new VendorRefusal('rate_limited', 'Slow down', {
    headers: { 'retry-after': '3' },
  })
  const rules: ErrorRuleTemplate[] = [
    { ...rule, as: 'forbidden', body: [{ at: parsePath('$.error.code'), test: { equals: 10 } }] },
    {
      ...rule,
      as: 'rate_limited',
      effect: 'retry',
      status: [[400, 400]],
      body: [{ at: parsePath('$.error.code'), test: { in: [4, 17] } }],
    },
  ]
  expect(write('{{ response.body.error.message }}', refusal, {}, rules)).toEqual({
    status: 400,
    headers: { 'retry-after': '3' },
    body: { error: { message: 'Slow down', code: 4 } },
  })
})
