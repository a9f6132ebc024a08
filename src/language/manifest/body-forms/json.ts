// `body`: JSON.
import { compileTemplate } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import type { Template } from '../../expression/syntax.ts'
import { jsonText } from '../../expression/text-value.ts'
import type { BodyForm } from './body-form.ts'

export const json: BodyForm<'body', { readonly kind: 'json'; readonly value: Template }> = {
  kind: 'json',
  sent: { as: 'JSON', fits: /json/i },
  arrivesAs: 'json',
  bodyOf: (value) => ({ kind: 'json', value }),
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
