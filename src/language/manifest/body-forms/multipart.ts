// `multipart`: fields and files, as a browser sends them. Source: RFC 7578.
import { compileTemplate } from '../../expression/evaluate.ts'
import { attempt } from '../../expression/refusals.ts'
import type { Scope, Template } from '../../expression/syntax.ts'
import { decodeBase64, headerValue, printScalar } from '../../expression/text-value.ts'
import type { Json } from '../../json/json.ts'
import { isJsonObject, isList } from '../../json/members.ts'
import type { TemplateMapSource } from '../source.ts'
import type { Site } from '../resolver.ts'
import type { BodyForm } from './body-form.ts'
import { framed, type WrittenPart } from './framed.ts'

interface MultipartBody {
  readonly kind: 'multipart'
  readonly parts: readonly MultipartPart[]
}
type MultipartPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: Template }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly base64: Template
      readonly filename: Template
      readonly type: Template
    }

export const multipart: BodyForm<TemplateMapSource, MultipartBody> = {
  kind: 'multipart',
  sent: { as: 'parts, with a boundary of their own', fits: /^$/ },
  resolve: (source, site) => ({
    kind: 'multipart',
    parts: Object.entries(source).map(([name, value]) => resolvePart(name, value, site.in(name))),
  }),
  data: ({ parts }) => ({
    kind: 'object',
    members: parts.flatMap((part) => (part.kind === 'field' ? [[part.name, part.value]] : [])),
  }),
  compile({ parts }) {
    const compiled = parts.map((part) => ({ part, render: compilePart(part) }))
    return (scope, refusals) =>
      framed(
        compiled.flatMap(({ part, render }) => attempt(refusals, part, () => render(scope)) ?? []),
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

function resolvePart(name: string, value: Json, site: Site): MultipartPart {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'base64'))
    return { kind: 'field', name, value: site.template(value, 'request.multipart') }
  const resolve = (key: string): Template =>
    site.in(key).template(value[key] ?? null, 'request.multipart')
  return {
    kind: 'file',
    name,
    base64: resolve('base64'),
    filename: resolve('filename'),
    type: resolve('type'),
  }
}

function compilePart(part: MultipartPart): (scope: Scope) => WrittenPart[] {
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
  const base64 = compileTemplate(part.base64)
  const filename = compileTemplate(part.filename)
  const type = compileTemplate(part.type)
  return (scope) => {
    const content = base64(scope)
    if (content === undefined || content === null) return []
    const file = quoted(printScalar(filename(scope) ?? part.name))
    return [
      {
        headers: [
          `content-disposition: form-data; name="${name}"; filename="${file}"`,
          `content-type: ${headerValue(type(scope) ?? 'application/octet-stream')}`,
        ],
        content: decodeBase64(content),
      },
    ]
  }
}

/** A name inside quotation marks. Source: HTML standard, "multipart/form-data", escaping of names. */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
