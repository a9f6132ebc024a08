// `body`: JSON.
import { compileTemplate } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import type { Template } from '../../expression/syntax.ts'
import { jsonText } from '../../expression/text-value.ts'
import type { FieldsSource } from '../source.ts'
import type { BodyForm } from './body-form.ts'

interface JsonBody {
  readonly kind: 'json'
  readonly value: Template
}

export const json: BodyForm<FieldsSource | string, JsonBody> = {
  kind: 'json',
  sent: { as: 'JSON', fits: /json/i },
  resolve: (source, site) => ({
    kind: 'json',
    value:
      typeof source === 'string'
        ? site.template(source, 'request.body')
        : site.members(source, 'request.body'),
  }),
  data: ({ value }) => value,
  compile({ value }) {
    const evaluate = compileTemplate(value)
    return (scope, refusals) =>
      attempt(refusals, value, () => {
        const body = evaluate(scope)
        return body === undefined ? null : { content: jsonText(body), type: 'application/json' }
      }) ?? null
  },
  read({ value }, sent) {
    const given = sent.json()
    if (given !== undefined) sent.template(value, given, '')
  },
}
