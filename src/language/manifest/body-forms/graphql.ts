// `graphql`: a query and its variables, as JSON.
import { compileTemplate, compileText } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import { jsonText } from '../../expression/text-value.ts'
import { ValueError } from '../../expression/value-error.ts'
import { own } from '../../json/own.ts'
import type { BodyForm, RequestWords } from './body-form.ts'

type GraphqlBody = { readonly kind: 'graphql' } & RequestWords['graphql']

export const graphql: BodyForm<'graphql', GraphqlBody> = {
  kind: 'graphql',
  sent: { as: 'JSON', fits: /json/i },
  arrivesAs: null,
  bodyOf: (call) => ({ kind: 'graphql', ...call }),
  data: ({ variables }) => ({ kind: 'object', members: [['variables', variables]] }),
  compile({ query, variables }) {
    const renderQuery = compileText(query)
    const evaluate = compileTemplate(variables)
    return (scope, refusals) =>
      attempt(refusals, [query, variables], () => {
        const text = renderQuery(scope)
        if (text === undefined) throw new ValueError('the query needs a value that is absent')
        return {
          content: jsonText({ query: text, variables: evaluate(scope) ?? {} }),
          type: 'application/json',
        }
      }) ?? null
  },
  read({ query, variables }, sent) {
    const given = sent.json()
    if (given === undefined) return
    const text = own(given, 'query')
    if (typeof text !== 'string') return sent.problem('query', 'is missing')
    if (!sent.finished(query, text, 'query')) sent.problem('query', 'is unknown')
    sent.template(variables, own(given, 'variables') ?? {}, 'variables')
  },
}
