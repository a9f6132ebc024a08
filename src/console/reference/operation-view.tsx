// One operation: what it takes, what it answers, the same request as code, and a form that sends it.
import { type ReactNode, useState } from 'react'
import { isObject, type Json, type JsonObject, objectIn, writeJson } from '../api/json-text.ts'
import { curlOfRequest, pythonOfRequest } from '../code/http-code.ts'
import { jsonIn } from '../form/field-text.ts'
import { propertiesOf } from '../form/schema-node.ts'
import { CodeTabs } from '../parts/code-tabs.tsx'
import { CodeView } from '../parts/code-view.tsx'
import { useNarrow } from '../parts/narrow.ts'
import { Tabs } from '../parts/tabs.tsx'
import { CopyButton } from '../parts/values.tsx'
import { ROOT } from '../place.tsx'
import { type ApiDocument, type Member, memberOf, membersOf, type Operation } from './document.ts'
import { AsMarkdown } from './as-markdown.tsx'
import { Method } from './method.tsx'
import { useExampleBody } from './example-body.ts'
import { isId, type Typed } from './typed.ts'
import { type ApiRequest, commandOfRequest, sentOf, typescriptOfRequest } from './request-code.ts'
import { useAccount } from './session.ts'
import { TryIt } from './try-it.tsx'
import { WithCode } from './with-code.tsx'

export function OperationView(props: {
  readonly document: ApiDocument
  readonly operation: Operation
}): ReactNode {
  const { document: api, operation } = props
  const [values, setValues] = useState(() => firstValues(operation))
  /** Null: nobody has typed one; the example stands there. */
  const [body, setBody] = useState<string | null>(null)
  /** The example as it stood when the field was gone into: none comes in under the hands of who types. Null: it is not. */
  const [held, setHeld] = useState<string | null>(null)
  const account = useAccount(values['path connector_id'] ?? '')
  const example = useExampleBody(operation, account)
  const shown = operation.body === null ? '' : writeJson(example, 2)
  const typed = { values, body: body ?? held ?? shown }
  const request = requestOf(api, operation, typed, account?.connector_type)
  return (
    <article className="reference-page">
      <AsMarkdown path={`/docs/operations/${operation.id}.md`} />
      <p className="quiet">
        {api.groups.find(({ operations }) => operations.includes(operation))?.name}
      </p>
      <h1 tabIndex={-1}>{operation.summary}</h1>
      <p className="line reference-path">
        <Method of={operation.method} /> <code>{operation.path}</code>{' '}
        <CopyButton text={api.server + operation.path} label="Copy the address" />
      </p>
      <p>{operation.about}</p>
      {operation.aliases.length === 0 ? null : (
        <details className="reference-inner fine">
          <summary>
            {operation.aliases.length === 1
              ? 'Also at one other path'
              : `Also at ${operation.aliases.length} other paths`}
          </summary>
          <ul>
            {operation.aliases.map((alias) => (
              <li key={alias}>
                <code>{alias}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="sides reference-columns">
        <div>
          <Takes api={api} operation={operation} />
          <Answers api={api} operation={operation} />
        </div>
        <div className="stack reference-try">
          <Code request={request} />
          <StillOpen operation={operation} values={values} />
          <ExampleAnswers operation={operation} />
          <TryIt
            document={api}
            operation={operation}
            typed={typed}
            give={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
            write={setBody}
            hold={(isHeld) => setHeld(isHeld ? shown : null)}
            request={request}
          />
        </div>
      </div>
    </article>
  )
}

/** Where the ids come from that the code still lacks. */
function StillOpen(props: {
  readonly operation: Operation
  readonly values: Typed['values']
}): ReactNode {
  const open = props.operation.parameters.flatMap(({ place, name }) => {
    const source = SOURCES[name]
    const isOpen = place === 'path' && (props.values[`path ${name}`] ?? '') === ''
    return isOpen && source !== undefined ? [{ name, ...source }] : []
  })
  return open.map(({ name, of, list }) => (
    <p key={name} className="fine">
      <code>{`{${name}}`}</code> is the id of {of}: <a href={`${ROOT}/docs#${list}`}>{list}</a> has
      it
      {name === 'connector_id' ? ', and the page of the account in the console' : ''}.
    </p>
  ))
}

/** By the name of a parameter: what it is the id of, and the operation that lists those. */
const SOURCES: Readonly<Record<string, { readonly of: string; readonly list: string }>> = {
  connector_id: { of: 'a connected account', list: 'listConnectorInstances' },
  event_id: { of: 'an event', list: 'listEvents' },
  log_id: { of: 'an entry of the logs', list: 'listLogs' },
}

function firstValues({ parameters }: Operation): Typed['values'] {
  const values = parameters
    .filter(({ required, place }) => required || place === 'path')
    // An id that is made up finds nothing; one is chosen, or looked up.
    .map(({ place, name, example }) => [`${place} ${name}`, isId(name) ? '' : example])
  return Object.fromEntries(values) as Typed['values']
}

function requestOf(
  { server }: ApiDocument,
  operation: Operation,
  { values, body }: Typed,
  connectorType = 'gong',
): ApiRequest {
  const given = (place: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      operation.parameters
        .filter((each) => each.place === place)
        .map(({ name }): [string, string] => [name, values[`${place} ${name}`] ?? ''])
        .filter(([, value]) => value !== ''),
    )
  const names = operation.parameters.filter(({ place }) => place === 'path')
  const path = {
    // What is not filled in yet stands as in the document.
    ...Object.fromEntries(names.map(({ name }) => [name, `{${name}}`])),
    ...given('path'),
  }
  const { value } = jsonIn(body, operation.body?.example)
  return {
    operation: operation.id,
    method: operation.method,
    server,
    template: operation.path,
    takesToken: operation.takesToken,
    path,
    query: given('query'),
    headers: given('header'),
    body: operation.body === null ? null : (value ?? null),
    connectorType,
  }
}

const TOKEN = (
  <>
    The token is read from <code>TENON_TOKEN</code>: <a href={`${ROOT}/docs#`}>how to get one</a>.
  </>
)

const ON_STORE =
  'This command asks no service and needs no token: it opens the store, where the settings of the service are (--data or --config).'

function Code({ request }: { readonly request: ApiRequest }): ReactNode {
  const sent = sentOf(request)
  const command = commandOfRequest(request)
  return (
    <section className="part" aria-label="The request as code">
      <CodeTabs
        notes={
          request.takesToken
            ? {
                curl: TOKEN,
                typescript: TOKEN,
                python: TOKEN,
                command: command?.onStore === true ? ON_STORE : TOKEN,
              }
            : {}
        }
        texts={{
          curl: curlOfRequest(sent),
          typescript: typescriptOfRequest(request),
          python: pythonOfRequest(sent),
          command: command?.text ?? null,
        }}
      />
    </section>
  )
}

/** What a sandbox answered to the example of the request, one form at a time. */
function ExampleAnswers({ operation }: { readonly operation: Operation }): ReactNode {
  const found = operation.answers.find(({ examples }) => examples.length > 0)
  const [chosen, setChosen] = useState(found?.examples[0]?.summary ?? '')
  if (found === undefined) return null
  const { status, examples, mayBeFile } = found
  const shown = (value: Json): ReactNode => (
    <CodeView text={writeJson(value, 2)} label="Example response" title={`${status} · JSON`} />
  )
  const [only, ...others] = examples
  return (
    <section className="part reference-example" aria-label="Example response">
      <h2>Example response</h2>
      {only !== undefined && others.length === 0 ? (
        shown(only.value)
      ) : (
        <Tabs
          label="Form of the response"
          chosen={chosen}
          choose={setChosen}
          tabs={Object.fromEntries(
            examples.map(({ summary, value }) => [summary, [summary, () => shown(value)]]),
          )}
        />
      )}
      <p className="fine">
        Recorded in a sandbox with the example request: lists are cut to one item, long texts are
        cut, and ids, times and secrets are replaced.
        {mayBeFile ? ' A download answers with the bytes of the file.' : ''}
      </p>
    </section>
  )
}

const PLACES = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
} as const

function Takes(props: { readonly api: ApiDocument; readonly operation: Operation }): ReactNode {
  const { id, parameters, body } = props.operation
  const { root } = props.api
  return (
    <>
      {Object.entries(PLACES).map(([place, title]) => {
        const here = parameters.filter((each) => each.place === place)
        return here.length === 0 ? null : (
          <section key={place}>
            <h2>{title}</h2>
            <MemberList
              root={root}
              at={`${id}.${place}`}
              members={here.map(({ name, required, schema, about }) => ({
                ...memberOf(name, required, schema, root),
                about,
              }))}
            />
          </section>
        )
      })}
      {body === null ? null : (
        <section>
          <h2>Request body</h2>
          {body.required ? null : <p className="fine">It may be left out.</p>}
          {body.takesFiles ? (
            <p className="fine">
              Files come as <code>multipart/form-data</code>: this JSON is the first part, named{' '}
              <code>operation</code>; each file follows, named as its parameter.
            </p>
          ) : null}
          <Members schema={body.schema} root={root} at={`${id}.body`} />
        </section>
      )}
    </>
  )
}

function Answers(props: { readonly api: ApiDocument; readonly operation: Operation }): ReactNode {
  const { id, answers, errors } = props.operation
  const isNarrow = useNarrow()
  return (
    <section>
      <h2>Responses</h2>
      {answers.map(({ status, about, schema, headers }, index) => (
        <section key={status}>
          <h3>
            <span className="badge good">{status}</span> <WithCode text={about} />
          </h3>
          {schema === null ? null : (
            <Members
              schema={schema}
              root={props.api.root}
              at={`${id}.${status}`}
              isAnswer
              opened={index === 0 && !isNarrow ? 2 : 0}
            />
          )}
          {headers.length === 0 ? null : (
            <details className="reference-inner">
              <summary>Response headers</summary>
              <dl className="reference-members">
                {headers.map(([name, text]) => (
                  <div key={name}>
                    <dt>
                      <code>{name}</code>
                    </dt>
                    <dd>{text}</dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </section>
      ))}
      <h3>Errors</h3>
      <dl className="reference-codes">
        {errors.map(([status, codes]) => (
          <div key={status}>
            <dt>
              <span className="badge">{status}</span>
            </dt>
            <dd>
              {codes.map((code) => (
                <a key={code} href={`${ROOT}/docs/errors#${code}`}>
                  <code>{code}</code>
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface Schemas {
  /** The place of the members in the address, behind which their names stand. */
  readonly at: string
  readonly root: JsonObject
  /** Of an answer, most members are always there; of a request, few have to be. */
  readonly isAnswer?: boolean
  /** So many levels of what would be folded are open at first. */
  readonly opened?: number
}

function Members(props: Schemas & { readonly schema: JsonObject }): ReactNode {
  const { schema, root, at, isAnswer = false, opened = 0 } = props
  const forms = schema['oneOf'] ?? schema['anyOf']
  const members = membersOf(schema, root)
  if (members.length > 0)
    return (
      <MemberList
        members={members}
        root={root}
        at={at}
        isAnswer={isAnswer}
        opened={Math.min(opened, 1)}
      />
    )
  if (!Array.isArray(forms)) return <p className="quiet">Any JSON.</p>
  return forms.map((form: Json, index) => (
    <details key={index} className="reference-inner" open={index === 0 && opened > 0}>
      <summary>{titleOf(form, index)}</summary>
      <Members
        schema={objectIn(form)}
        root={root}
        at={`${at}.${index + 1}`}
        isAnswer={isAnswer}
        opened={index === 0 ? opened - 1 : 0}
      />
    </details>
  ))
}

/** `Result of an action: data, meta, execution`. */
function titleOf(form: Json, index: number): string {
  if (!isObject(form)) return `Form ${index + 1}`
  const { title, description } = form
  if (typeof title === 'string') return title
  const names = propertiesOf(form).map(([name]) => name)
  const what =
    typeof description === 'string' ? description.replace(/\.$/, '') : `Form ${index + 1}`
  return names.length === 0 ? what : `${what}: ${names.join(', ')}`
}

function MemberList(props: Schemas & { readonly members: readonly Member[] }): ReactNode {
  const { isAnswer = false, root, at, opened = 0 } = props
  const marked = isAnswer ? 'may be missing' : 'required'
  return (
    <dl className="reference-members">
      {props.members.map(({ name, required, type, limits, about, inner }) => (
        <div key={name} id={`${at}.${name}`}>
          <dt>
            <code>{name}</code>
            <a className="anchor" href={`#${at}.${name}`} aria-label={`Link to ${name}`}>
              #
            </a>
            <span className="fine">{type}</span>
            {required === isAnswer ? null : <span className="mark-required">{marked}</span>}
          </dt>
          <dd>
            {typeof about === 'string' ? <WithCode text={about} /> : about}
            {limits.length === 0 ? null : <p className="fine">{limits.join(' · ')}</p>}
            {inner === null ? null : (
              <Inner
                name={name}
                schema={inner}
                root={root}
                at={`${at}.${name}`}
                isAnswer={isAnswer}
                opened={opened}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Shown when it is opened, or the address leads into it: schemas may contain themselves. */
function Inner(props: Schemas & { readonly name: string; readonly schema: JsonObject }): ReactNode {
  const [isOpen, setOpen] = useState(
    () => (props.opened ?? 0) > 0 || window.location.hash.startsWith(`#${props.at}.`),
  )
  return (
    <details
      className="reference-inner"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Fields of {props.name}</summary>
      {isOpen ? <Members {...props} opened={0} /> : null}
    </details>
  )
}
