// Sends the request with the session of the console, and shows what comes back.
import { type ReactNode, useRef, useState } from 'react'
import { send } from '../api/call.ts'
import { parseJson, writeJson } from '../api/json-text.ts'
import { useTask } from '../api/use-answer.ts'
import { jsonIn } from '../form/field-text.ts'
import { JsonArea } from '../form/schema-form.tsx'
import { AccountBox } from '../parts/account-box.tsx'
import { ProblemNotice, Working } from '../parts/answer.tsx'
import { Button, onSubmit, Select, TextField, useSubmitKey } from '../parts/controls.tsx'
import { Question } from '../parts/dialog.tsx'
import { CodeView } from '../parts/code-view.tsx'
import { BASE } from '../place.tsx'
import type { ApiDocument, Operation, Parameter } from './document.ts'
import { isId, type Typed } from './typed.ts'
import { type ApiRequest, pathOf } from './request-code.ts'
import { useAccess, useAccount } from './session.ts'

interface Shown {
  readonly status: number
  readonly ms: number
  readonly kind: string
  /** null: it is no text. */
  readonly text: string | null
  readonly bytes: number
}

export function TryIt(props: {
  readonly document: ApiDocument
  readonly operation: Operation
  readonly typed: Typed
  /** A value of a parameter, by its key in `typed`. */
  readonly give: (key: string, value: string) => void
  readonly write: (body: string) => void
  /** Whether the example of the body stays as it is. */
  readonly hold: (isHeld: boolean) => void
  readonly request: ApiRequest
}): ReactNode {
  const { operation, typed, request } = props
  const access = useAccess()
  const { busy, problem, run, stop } = useTask()
  const [shown, setShown] = useState<Shown | null>(null)
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useSubmitKey(form)
  if (!operation.takesToken || operation.path.includes('/account/'))
    return (
      <p className="notice">
        {operation.path.includes('/account/')
          ? 'A program sends this with its own client id and secret or token, so it is not sent from here.'
          : 'The third party sends this, so it is not sent from here.'}
      </p>
    )
  if (access.kind === 'asking') return null
  if (access.kind === 'outside')
    return (
      <div className="notice">
        {access.console ? (
          <>
            <p>Sign in to the console to send this request from here; no token is needed.</p>
            <a className="button" href={BASE} target="_blank" rel="opener">
              Sign in to the console
            </a>
          </>
        ) : (
          <p>This service has no console, whose session would send this request from here.</p>
        )}
      </div>
    )
  const { fault } = jsonIn(typed.body)
  const field = (parameter: Parameter): ReactNode => {
    const key = `${parameter.place} ${parameter.name}`
    return (
      <ParameterField
        key={key}
        parameter={parameter}
        value={typed.values[key] ?? ''}
        listedBy={listOf(props.document, operation, parameter)}
        change={(value) => props.give(key, value)}
      />
    )
  }
  const heads = operation.parameters.filter(({ place }) => place === 'header')
  const sendNow = (): Promise<void> =>
    run(async (signal) => {
      setAsking(false)
      setShown(null)
      setShown(await answerTo(request, signal))
    })
  return (
    <section aria-label="Send it">
      <form
        className="stack"
        ref={form}
        onSubmit={onSubmit(() => {
          if (fault !== null || busy) return
          if (operation.method === 'DELETE') setAsking(true)
          else void sendNow()
        })}
      >
        <h2>Send it</h2>
        <p className="fine">
          With your session, as <strong>{access.session.name}</strong>.{' '}
          {operation.method === 'GET' ? null : 'It is a real request, and does what it says.'}
        </p>
        {operation.parameters.filter(({ place }) => place !== 'header').map(field)}
        {operation.body === null ? null : (
          <label onFocus={() => props.hold(true)} onBlur={() => props.hold(false)}>
            Body
            <JsonArea
              rows={Math.min(16, typed.body.split('\n').length + 1)}
              text={typed.body}
              fault={fault}
              type={props.write}
            />
          </label>
        )}
        {heads.length === 0 ? null : (
          <details className="reference-inner">
            <summary>Headers</summary>
            <div className="stack">{heads.map(field)}</div>
          </details>
        )}
        <div className="actions">
          <button className="primary" disabled={busy || fault !== null}>
            Send
          </button>
          {busy ? <Working words="Sending" stop={stop} /> : null}
        </div>
      </form>
      {isAsking ? (
        <Question
          title={`${operation.summary}?`}
          close={() => setAsking(false)}
          answers={[{ words: 'Delete', look: 'danger', act: () => void sendNow() }]}
        >
          <p className="line reference-path">
            <code>
              {operation.method} {pathOf(request)}
            </code>
          </p>
          <p>This cannot be undone.</p>
        </Question>
      ) : null}
      <ProblemNotice problem={problem} />
      {problem === null || problem.body.status === 0 ? null : (
        <details className="reference-inner">
          <summary>The response as it came ({problem.body.status})</summary>
          <CodeView text={JSON.stringify(problem.body, null, 2)} label="response" />
        </details>
      )}
      {shown === null ? null : <ShownAnswer of={shown} />}
    </section>
  )
}

/** Where the ids of a parameter of the path are found: `/webhooks` before `{webhook_id}`. Null: no operation lists them. */
function listOf(
  { groups }: ApiDocument,
  { path }: Operation,
  { name, place }: Parameter,
): Operation | null {
  if (place !== 'path') return null
  const before = path.slice(0, path.indexOf(`/{${name}}`))
  const all = groups.flatMap(({ operations }) => operations)
  return all.find((each) => each.method === 'GET' && each.path === before) ?? null
}

function ParameterField(props: {
  readonly parameter: Parameter
  readonly value: string
  readonly listedBy: Operation | null
  readonly change: (value: string) => void
}): ReactNode {
  const { listedBy, value, change } = props
  const { name, required, example, schema } = props.parameter
  if (name === 'connector_id') return <AccountField {...props} />
  const values = schema['enum'] ?? (schema['type'] === 'boolean' ? ['true', 'false'] : null)
  if (Array.isArray(values))
    return (
      <Select
        label={name}
        value={value}
        options={[['', 'not given'], ...values.map(String).map((each) => [each, each] as const)]}
        choose={change}
      />
    )
  return (
    <div className="field">
      <TextField
        label={name}
        required={required}
        placeholder={isId(name) ? '' : example}
        value={value}
        change={change}
      />
      {listedBy === null || !isId(name) ? null : (
        <p className="fine">
          Ids are in the answers of{' '}
          <a href={`#${listedBy.id}`}>
            <code>
              {listedBy.method} {listedBy.path}
            </code>
          </a>
          .
        </p>
      )}
    </div>
  )
}

/** One of the accounts of who is signed in, or none where it need not be given. */
function AccountField(props: {
  readonly parameter: Parameter
  readonly value: string
  readonly change: (value: string) => void
}): ReactNode {
  const { value, change, parameter } = props
  const account = useAccount(value)
  return (
    <div className="field">
      <AccountBox
        label={parameter.name}
        required={parameter.required}
        chosen={account}
        choose={change}
      />
      <p className="fine">
        {value === '' ? (
          'An account of yours, by its name, its user or its id.'
        ) : (
          <>
            <code>{value}</code>{' '}
            {parameter.required ? null : (
              <Button className="small" onClick={() => change('')}>
                Leave it out
              </Button>
            )}
          </>
        )}
      </p>
    </div>
  )
}

function ShownAnswer({ of: { status, ms, kind, text, bytes } }: { readonly of: Shown }): ReactNode {
  return (
    <div role="status">
      <p>
        <span className="badge good">{status}</span> {ms} ms · {bytes} bytes
      </p>
      {bytes === 0 ? null : text === null ? (
        <p className="quiet">{kind}: a file; the explorer of the console saves it.</p>
      ) : (
        <>
          <CodeView text={text.slice(0, MAX_CHARACTERS)} label="response" />
          {text.length <= MAX_CHARACTERS ? null : (
            <p className="fine">
              These are the first {MAX_CHARACTERS} characters; curl shows the whole answer.
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** One value of JSON, and not a line for each. */
const JSON_KIND = /^application\/(?:[\w.-]+\+)?json/
/** A page that shows more is slow. */
const MAX_CHARACTERS = 200_000

async function answerTo(request: ApiRequest, signal: AbortSignal): Promise<Shown> {
  const from = performance.now()
  const { method, headers, body } = request
  const response = await send(method, pathOf(request).replace(/^(\/api)?\/v1/, ''), {
    headers,
    signal,
    ...(body === null ? {} : { body }),
  })
  const kind = response.headers.get('content-type') ?? ''
  const isText = /json|text|xml/.test(kind)
  const bytes = await response.arrayBuffer()
  const text = isText ? new TextDecoder().decode(bytes) : null
  return {
    status: response.status,
    ms: Math.round(performance.now() - from),
    kind,
    text: text !== null && JSON_KIND.test(kind) ? writeJson(parseJson(text), 2) : text,
    bytes: bytes.byteLength,
  }
}
