// The body of a request and its content type.
import { compileTemplate, compileText } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json } from '../../language/json/json.ts'
import { nodeCrypto } from '../../late-modules.ts'
import type { BodyTemplate, MultipartPart, RelatedPart } from '../../language/manifest/manifest.ts'
import { compileEntries } from './entries.ts'
import { attempt, type Refusals } from '../../language/expression/refusals.ts'
import { headerValue, jsonText, textOf } from '../../language/expression/text-value.ts'

export interface Body {
  readonly content: string | Uint8Array
  readonly type: string
}

/** Renders a body; null when there is none. */
export type RenderBody = (scope: Scope, refusals: Refusals) => Body | null

type Compile<K extends BodyTemplate['kind']> = (
  template: Extract<BodyTemplate, { readonly kind: K }>,
) => RenderBody

const COMPILERS: { readonly [K in BodyTemplate['kind']]: Compile<K> } = {
  none: () => () => null,
  json: ({ value }) => {
    const evaluate = compileTemplate(value)
    return (scope, refusals) =>
      attempt(refusals, value, () => {
        const body = evaluate(scope)
        return body === undefined ? null : { content: jsonText(body), type: 'application/json' }
      }) ?? null
  },
  form: ({ entries }) => {
    const render = compileEntries(entries)
    return (scope, refusals) => ({
      content: render(scope, refusals),
      type: 'application/x-www-form-urlencoded',
    })
  },
  multipart: ({ parts }) => {
    const compiled = parts.map((part) => ({ part, render: compileMultipartPart(part) }))
    return (scope, refusals) => {
      const rendered = compiled.flatMap(
        ({ part, render }) => attempt(refusals, part, () => render(scope)) ?? [],
      )
      return framed(rendered, 'multipart/form-data')
    }
  },
  related: ({ parts }) => {
    const compiled = parts.map((part) => ({ part, render: compileRelatedPart(part) }))
    return (scope, refusals) => {
      const rendered = compiled.flatMap(
        ({ part, render }) => attempt(refusals, part, () => render(scope)) ?? [],
      )
      return framed(rendered, 'multipart/related')
    }
  },
  graphql: ({ query, variables }) => {
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
  text: ({ type, text }) => {
    const render = compileText(text)
    return (scope, refusals) =>
      attempt(refusals, text, () => {
        const content = render(scope)
        return content === undefined ? null : { content, type }
      }) ?? null
  },
}

/** Compiles a body template. */
export function compileBody(template: BodyTemplate): RenderBody {
  // The table has for each kind the function of that kind; TypeScript cannot see that through the index.
  return (COMPILERS[template.kind] as (template: BodyTemplate) => RenderBody)(template)
}

interface Part {
  readonly headers: readonly string[]
  readonly content: Uint8Array
}

function compileMultipartPart(part: MultipartPart): (scope: Scope) => Part[] {
  const name = quoted(part.name)
  if (part.kind === 'field') {
    const evaluate = compileTemplate(part.value)
    return (scope) => {
      const value = evaluate(scope)
      const values =
        value === undefined || value === null
          ? []
          : Array.isArray(value)
            ? (value as readonly Json[])
            : [value]
      return values.map((each) => ({
        headers: [`content-disposition: form-data; name="${name}"`],
        content: Buffer.from(textOf(each)),
      }))
    }
  }
  const base64 = compileTemplate(part.base64)
  const filename = compileTemplate(part.filename)
  const type = compileTemplate(part.type)
  return (scope) => {
    const content = base64(scope)
    if (content === undefined || content === null) return []
    const file = quoted(textOf(filename(scope) ?? part.name))
    return [
      {
        headers: [
          `content-disposition: form-data; name="${name}"; filename="${file}"`,
          `content-type: ${headerValue(type(scope) ?? 'application/octet-stream')}`,
        ],
        content: bytesOf(content),
      },
    ]
  }
}

function compileRelatedPart(part: RelatedPart): (scope: Scope) => Part[] {
  if (part.kind === 'json') {
    const evaluate = compileTemplate(part.value)
    return (scope) => {
      const value = evaluate(scope)
      if (value === undefined) return []
      return [
        {
          headers: ['content-type: application/json; charset=UTF-8'],
          content: Buffer.from(jsonText(value)),
        },
      ]
    }
  }
  const base64 = compileTemplate(part.base64)
  return (scope) => {
    const content = base64(scope)
    if (content === undefined || content === null) return []
    return [{ headers: [`content-type: ${part.type}`], content: bytesOf(content) }]
  }
}

function bytesOf(base64: Json): Uint8Array {
  if (
    typeof base64 !== 'string' ||
    !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)
  ) {
    throw new ValueError('must be base64 text')
  }
  return Buffer.from(base64, 'base64')
}

/** A name inside quotation marks. Source: HTML standard, "multipart/form-data", escaping of names. */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

/** The parts with a boundary that none of them can hold: it is made of a hash over all of them. */
function framed(parts: readonly Part[], type: string): Body {
  const hash = nodeCrypto().createHash('sha256')
  for (const { headers, content } of parts)
    hash.update(headers.join('\r\n')).update('\0').update(content)
  const boundary = `tenon-${hash.digest('hex').slice(0, 32)}`
  const chunks = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return {
    content: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    type: `${type}; boundary=${boundary}`,
  }
}
