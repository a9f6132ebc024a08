// `text`: a text of a type that the author names, such as XML.
import { compileText } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import type { Text } from '../../expression/syntax.ts'
import type { BodyForm } from './body-form.ts'

interface TextBody {
  readonly kind: 'text'
  readonly type: string
  readonly text: Text
}
interface TextSource {
  readonly type: string
  readonly value: string
}

export const text: BodyForm<TextSource, TextBody> = {
  kind: 'text',
  sent: null,
  resolve: ({ type, value }, site) => ({
    kind: 'text',
    type,
    text: site.in('value').text(value, 'request.text', { blocks: true }),
  }),
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
