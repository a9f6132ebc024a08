// `text`: a text of a type that the author names, such as XML.
import { compileText } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import type { BodyForm, RequestWords } from './body-form.ts'

type TextBody = { readonly kind: 'text' } & RequestWords['text']

export const text: BodyForm<'text', TextBody> = {
  kind: 'text',
  sent: null,
  arrivesAs: null,
  bodyOf: (body) => ({ kind: 'text', ...body }),
  data: () => null,
  compile({ type, text: template }) {
    const render = compileText(template)
    return (scope, refusals) =>
      attempt(refusals, template, () => {
        const content = render(scope)
        return content === undefined ? null : { content, type }
      }) ?? null
  },
  read({ type, text: template }, sent) {
    const given = sent.text(type)
    if (given !== undefined && !sent.finished(template, given, 'body'))
      sent.problem('body', 'has an unknown form')
  },
}
