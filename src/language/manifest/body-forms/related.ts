// `related`: parts in their order, such as JSON about a file and the file. Source: RFC 2387.
import { compileTemplate } from '../../expression/evaluate.ts'
import { attempt, type Refusals } from '../../expression/refusals.ts'
import type { Scope, Template } from '../../expression/syntax.ts'
import { jsonText } from '../../expression/text-value.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { BodyForm, SentBody, SentPart } from './body-form.ts'
import { compileFile } from './file-part.ts'
import { framed, type WrittenPart } from './framed.ts'

interface RelatedBody {
  readonly kind: 'related'
  readonly parts: readonly RelatedPart[]
}
type RelatedPart =
  | { readonly kind: 'json'; readonly value: Template }
  | { readonly kind: 'file'; readonly base64: Template; readonly type: Template }

const ABSENT: Template = { kind: 'constant', value: null }

export const related: BodyForm<'related', RelatedBody> = {
  kind: 'related',
  sent: { as: 'parts, with a boundary of their own', fits: /^$/ },
  arrivesAs: 'text',
  bodyOf: (parts) => ({
    kind: 'related',
    parts: parts.map(({ json, base64, type = ABSENT }) =>
      base64 === undefined
        ? { kind: 'json', value: json ?? ABSENT }
        : { kind: 'file', base64, type },
    ),
  }),
  data: () => null,
  compile({ parts }) {
    const compiled = parts.map((part) => ({ part, render: compilePart(part) }))
    return (scope, refusals) =>
      framed(
        compiled.flatMap(
          ({ part, render }) => attempt(refusals, part, () => render(scope, refusals)) ?? [],
        ),
        'multipart/related',
      )
  },
  read({ parts }, sent) {
    const given = sent.parts('multipart/related')
    if (given === undefined) return
    if (given.length !== parts.length)
      return sent.problem('body', `must have ${parts.length} parts`)
    for (const [index, part] of given.entries()) {
      const expected = parts[index]
      if (expected !== undefined) readPart(expected, part, `part ${index + 1}`, sent)
    }
  },
}

function compilePart(part: RelatedPart): (scope: Scope, refusals: Refusals) => WrittenPart[] {
  if (part.kind === 'json') {
    const evaluate = compileTemplate(part.value)
    return (scope) => {
      const value = evaluate(scope)
      if (value === undefined) return []
      const headers = ['content-type: application/json; charset=UTF-8']
      return [{ headers, content: Buffer.from(jsonText(value)) }]
    }
  }
  const render = compileFile(part.base64, part.type)
  return (scope, refusals) => {
    const file = render(scope, refusals)
    if (file === null) return []
    return [{ headers: [`content-type: ${file.type}`], content: file.content }]
  }
}

function readPart(expected: RelatedPart, part: SentPart, field: string, sent: SentBody): void {
  if (expected.kind === 'file') {
    sent.template(expected.base64, part.body.toString('base64'), field)
    sent.template(expected.type, part.headers['content-type'] ?? '', `${field} type`, 'repeat')
    return
  }
  try {
    sent.template(expected.value, parseJson(part.body.toString('utf8')), field)
  } catch {
    sent.problem(field, 'is not JSON') // What is wrong in it is the sender's to find.
  }
}
