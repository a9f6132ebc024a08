// `multipart`: fields and files, as a browser sends them. Source: RFC 7578.
import { compileTemplate } from '../../expression/evaluate.ts'
import { attempt, type Refusals } from '../../expression/refusals.ts'
import type { Scope, Template } from '../../expression/syntax.ts'
import { printScalar } from '../../expression/text-value.ts'
import { isList } from '../../json/members.ts'
import type { BodyForm } from './body-form.ts'
import { compileFile } from './file-part.ts'
import { framed, type WrittenPart } from './framed.ts'

interface MultipartBody {
  readonly kind: 'multipart'
  readonly parts: readonly MultipartPart[]
}
export type MultipartPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: Template }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly base64: Template
      readonly filename: Template
      readonly type: Template
    }

export const multipart: BodyForm<'multipart', MultipartBody> = {
  kind: 'multipart',
  sent: { as: 'parts, with a boundary of their own', fits: /^$/ },
  arrivesAs: 'text',
  entries: ({ parts }) =>
    parts.map((part) => ({
      name: part.name,
      value: part.kind === 'file' ? part.base64 : part.value,
      style: 'repeat',
    })),
  bodyOf: (parts) => ({ kind: 'multipart', parts }),
  data: ({ parts }) => ({
    kind: 'object',
    members: parts.flatMap((part) => (part.kind === 'field' ? [[part.name, part.value]] : [])),
  }),
  compile({ parts }) {
    const compiled = parts.map((part) => ({ part, render: compilePart(part) }))
    return (scope, refusals) =>
      framed(
        compiled.flatMap(
          ({ part, render }) => attempt(refusals, part, () => render(scope, refusals)) ?? [],
        ),
        'multipart/form-data',
      )
  },
  read({ parts }, sent) {
    for (const part of sent.parts('multipart/form-data') ?? []) {
      const field = part.name ?? ''
      const expected = parts.find(({ name }) => name === field)
      if (expected === undefined) sent.problem(field, 'is unknown')
      else if (expected.kind === 'field') {
        sent.template(expected.value, part.body.toString('utf8'), field, 'repeat')
      } else {
        sent.template(expected.base64, part.body.toString('base64'), field)
        sent.template(expected.filename, part.filename ?? '', `${field} filename`, 'repeat')
        sent.template(expected.type, part.headers['content-type'] ?? '', `${field} type`, 'repeat')
      }
    }
  },
}

function compilePart(part: MultipartPart): (scope: Scope, refusals: Refusals) => WrittenPart[] {
  const name = quoted(part.name)
  if (part.kind === 'field') {
    const evaluate = compileTemplate(part.value)
    return (scope) => {
      const value = evaluate(scope) ?? []
      const values = isList(value) ? value : [value]
      return values.map((each) => ({
        headers: [`content-disposition: form-data; name="${name}"`],
        content: Buffer.from(printScalar(each)),
      }))
    }
  }
  const render = compileFile(part.base64, part.type)
  const filename = compileTemplate(part.filename)
  return (scope, refusals) => {
    const file = render(scope, refusals)
    if (file === null) return []
    const called = quoted(printScalar(filename(scope) ?? file.name ?? part.name))
    return [
      {
        headers: [
          `content-disposition: form-data; name="${name}"; filename="${called}"`,
          `content-type: ${file.type}`,
        ],
        content: file.content,
      },
    ]
  }
}

/** A name inside quotation marks. Source: HTML standard, "multipart/form-data", escaping of names. */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
