// A form made of a JSON Schema. What is left empty is not sent.
import { type ComponentProps, type ReactNode, useContext, useId, useState } from 'react'
import { isObject, type Json, type JsonObject, objectIn, writeJson } from '../api/json-text.ts'
import { fieldWords } from '../../display/field-words.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { Button } from '../parts/controls.tsx'
import { FilesContext, SuggestContext } from './around.ts'
import { jsonIn, linesIn, numberIn, textOf } from './field-text.ts'
import { MomentPicker } from './moment-picker.tsx'
import {
  choicesOf,
  type FieldKind,
  isOpen,
  propertiesOf,
  readNode,
  requiredOf,
  type SchemaNode,
} from './schema-node.ts'
import './schema-form.css'

export interface SchemaFormProps {
  readonly schema: JsonObject
  readonly value: JsonObject
  readonly change: (value: JsonObject) => void
  /** Where the object stands in the request's body. */
  readonly pointer: string
  /** What the service said about fields, by pointer. */
  readonly problems: ReadonlyMap<string, string>
  /** Fields are called what people call them, with the member's name beside; else by that name. */
  readonly inWords?: boolean
  /** Members of the object of which one at least must be given. */
  readonly oneOf?: ReadonlySet<string>
}

interface MembersProps extends Omit<SchemaFormProps, 'change' | 'inWords'> {
  /** Holds the definitions that references name. */
  readonly root: JsonObject
  readonly inWords: boolean
  /** Undefined: nothing is given. */
  readonly change: (value: JsonObject | undefined) => void
}

interface FieldProps extends Pick<MembersProps, 'root' | 'pointer' | 'problems' | 'inWords'> {
  readonly name: string
  readonly node: SchemaNode
  readonly required: boolean
  readonly value: Json | undefined
  /** Undefined takes the member away. */
  readonly change: (value: Json | undefined) => void
  readonly mark?: string
}

interface ControlProps extends FieldProps {
  readonly id: string
  readonly describedBy: string
  readonly invalid: boolean
}

export function SchemaForm(props: SchemaFormProps): ReactNode {
  return (
    <Members
      inWords={false}
      {...props}
      root={props.schema}
      change={(value) => props.change(value ?? {})}
    />
  )
}

const NONE: ReadonlySet<string> = new Set()

function Members(props: MembersProps): ReactNode {
  const { schema, root, value, pointer, problems, inWords, oneOf = NONE } = props
  const around = { root, problems, inWords }
  const mark = oneOf.size > 1 ? 'one of these is needed' : 'needed'
  const required = requiredOf(schema)
  // Those that must be given come first.
  const rank = (name: string): number => (required.has(name) ? 2 : oneOf.has(name) ? 1 : 0)
  const members = propertiesOf(schema).toSorted(([a], [b]) => rank(b) - rank(a))
  const set = (name: string, next: Json | undefined): void => {
    const given = { ...value, [name]: next }
    // In the order of the schema, whatever was typed first.
    const names = [...propertiesOf(schema).map(([each]) => each), ...Object.keys(others)]
    give(names.map((each) => [each, given[each]]))
  }
  const give = (members: readonly (readonly [string, Json | undefined])[]): void => {
    const given = members.flatMap(([name, each]) => (each === undefined ? [] : [[name, each]]))
    props.change(given.length === 0 ? undefined : Object.fromEntries(given))
  }
  const known = new Set(members.map(([name]) => name))
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => !known.has(name)))
  return (
    <div className="members">
      {members.map(([name, each]) => (
        <Field
          key={name}
          name={name}
          pointer={pointerTo(pointer, [name])}
          node={readNode(each, root)}
          {...around}
          required={required.has(name)}
          value={value[name]}
          change={(next) => set(name, next)}
          {...(oneOf.has(name) ? { mark } : {})}
        />
      ))}
      {isOpen(schema) && members.length > 0 ? (
        <Field
          name="Other members"
          pointer={`${pointer}/`}
          node={OTHERS}
          {...around}
          inWords={false}
          required={false}
          value={Object.keys(others).length === 0 ? undefined : others}
          change={(next) => {
            const named = Object.entries(value).filter(([name]) => known.has(name))
            give([...named, ...(isObject(next) ? Object.entries(next) : [])])
          }}
        />
      ) : null}
    </div>
  )
}

const OTHERS: SchemaNode = {
  kind: 'json',
  schema: {},
  description: 'Anything else that the third party knows, as a JSON object.',
  limits: [],
  nullable: false,
  deprecated: false,
}

/** The service repeats what a field is about; here it stands above. */
function withoutDescription(problem: string, description: string | null): string {
  return description === null ? problem : problem.replace(`: ${description}`, '')
}

/** What the manifest says of where people find a value. */
function WhereToFind(props: { readonly schema: JsonObject; readonly label: string }): ReactNode {
  const { help, docs, example } = props.schema
  return (
    <>
      {typeof help === 'string' ? <span>{help} </span> : null}
      {typeof example === 'string' ? (
        <span>
          For example <code>{example}</code>{' '}
        </span>
      ) : null}
      {typeof docs === 'string' ? (
        <a href={docs} target="_blank" rel="noreferrer">
          Where to find “{props.label}”
        </a>
      ) : null}
    </>
  )
}

/** Kinds that bring a group of fields instead of one input. */
const GROUPS: ReadonlySet<FieldKind> = new Set(['object', 'rows'])

function Field(props: FieldProps): ReactNode {
  const id = useId()
  const { node, name, pointer, problems, value } = props
  const problem = problems.get(pointer)
  const describedBy = `${id}about`
  const { label, help } = props.inWords
    ? fieldWords(name, node.description)
    : { label: name, help: node.description }
  const isAlone =
    help === null &&
    node.limits.length === 0 &&
    !(props.inWords && ['help', 'docs', 'example'].some((word) => word in node.schema))
  const about = (
    <div className="about fine" id={describedBy}>
      {label === name ? null : (
        <>
          <code>{name}</code>
          {isAlone ? null : ' · '}
        </>
      )}
      {help === null ? null : <span>{help} </span>}
      {props.inWords ? <WhereToFind schema={node.schema} label={label} /> : null}
      {node.limits.length === 0 ? null : <span className="limits">{node.limits.join(' · ')}</span>}
      {problem === undefined ? null : (
        <strong className="fault">{withoutDescription(problem, node.description)}</strong>
      )}
    </div>
  )
  const marks = (
    <>
      {props.required ? <span className="mark-required">required</span> : null}
      {props.mark === undefined ? null : <span className="mark-required">{props.mark}</span>}
      {node.deprecated ? <span className="mark-deprecated">deprecated</span> : null}
    </>
  )
  const isNull = value === null && node.nullable
  const nullBox = node.nullable ? (
    <label className="null-box fine">
      <input
        type="checkbox"
        checked={isNull}
        onChange={(event) => props.change(event.target.checked ? null : undefined)}
        aria-label={`${label} is null`}
      />{' '}
      null
    </label>
  ) : null
  const Control = CONTROLS[node.kind]
  const control = isNull ? null : (
    <Control {...props} id={id} describedBy={describedBy} invalid={problem !== undefined} />
  )
  if (GROUPS.has(node.kind)) {
    const hasProblem = [...problems.keys()].some((each) => each.startsWith(pointer))
    return (
      <details className="group" open={props.required || hasProblem || value !== undefined}>
        <summary>
          {label} {marks}
        </summary>
        <fieldset aria-describedby={describedBy}>
          <legend className="unseen">{label}</legend>
          {about}
          {nullBox}
          {control}
        </fieldset>
      </details>
    )
  }
  return (
    <div className={node.kind === 'json' ? 'field long' : 'field'}>
      <div className="line field-head">
        <label htmlFor={id}>{label}</label>
        {marks}
        {nullBox}
      </div>
      {control}
      {about}
    </div>
  )
}

const CONTROLS: Readonly<Record<FieldKind, (props: ControlProps) => ReactNode>> = {
  text: TextControl,
  secret: TextControl,
  number: TextControl,
  yes_no: (props) => <ChoiceControl {...props} choices={[true, false]} />,
  choice: (props) => <ChoiceControl {...props} choices={choicesOf(props.node.schema) ?? []} />,
  lines: LinesControl,
  json: JsonControl,
  rows: RowsControl,
  file: FileControl,
  object: (props) => (
    <Members
      {...props}
      schema={props.node.schema}
      value={objectIn(props.value)}
      // An object that must be given may be empty.
      change={(next) => props.change(next ?? (props.required ? {} : undefined))}
    />
  ),
}

function inputOf({ id, describedBy, invalid }: ControlProps) {
  return { id, 'aria-describedby': describedBy, 'aria-invalid': invalid }
}

function TextControl(props: ControlProps): ReactNode {
  const { kind, schema } = props.node
  const suggested = useContext(SuggestContext)(props.pointer)
  const list = `${props.id}list`
  const [text, type] = useTyped(props, textOf, (typed) =>
    typed === '' ? undefined : kind === 'number' ? numberIn(typed) : typed,
  )
  const input = (
    <input
      {...inputOf(props)}
      {...(suggested === null ? {} : { list, onFocus: suggested.ask })}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      // Not a password of this site: nothing should offer to keep it.
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
  return (
    <>
      <MomentPicker format={schema['format']} text={text} type={type}>
        {input}
      </MomentPicker>
      {suggested === null ? null : (
        <datalist id={list}>
          {suggested.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

/** Where nothing takes files as they are, they are typed as base64. */
function FileControl(props: ControlProps): ReactNode {
  const files = useContext(FilesContext)
  return files === null ? (
    <TextControl {...props} />
  ) : (
    <input
      {...inputOf(props)}
      type="file"
      onChange={({ target }) => files.choose(props.name, target.files?.[0] ?? null)}
    />
  )
}

/** What is being typed, until the value is changed from elsewhere: `1.` is a step on the way to `1.5`. */
function useTyped(
  { value, change }: ControlProps,
  write: (value: Json | undefined) => string,
  read: (text: string) => Json | undefined,
): readonly [text: string, type: (text: string) => void] {
  const now = write(value)
  const [typed, setTyped] = useState({ text: now, meant: now })
  const type = (text: string): void => {
    const meant = read(text)
    setTyped({ text, meant: write(meant) })
    change(meant)
  }
  return [typed.meant === now ? typed.text : now, type]
}

function ChoiceControl(props: ControlProps & { readonly choices: readonly Json[] }): ReactNode {
  const at = props.choices.findIndex((choice) => choice === props.value)
  return (
    <select
      {...inputOf(props)}
      value={at}
      onChange={(event) => props.change(props.choices[Number(event.target.value)])}
    >
      <option value={-1}>not given</option>
      {props.choices.map((choice, index) => (
        <option key={textOf(choice)} value={index}>
          {choice === true ? 'yes' : choice === false ? 'no' : textOf(choice)}
        </option>
      ))}
    </select>
  )
}

function LinesControl(props: ControlProps): ReactNode {
  const { kind } = readNode(props.node.schema['items'], props.root)
  const [text, type] = useTyped(
    props,
    (value) => (Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)),
    (typed) => linesIn(typed, kind === 'number' ? numberIn : (line) => line),
  )
  return (
    <textarea
      {...inputOf(props)}
      rows={Math.min(6, Math.max(2, text.split('\n').length))}
      spellCheck={false}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
}

function JsonControl(props: ControlProps): ReactNode {
  const [text, type] = useTyped(
    props,
    (value) => (value === undefined ? '' : writeJson(value, 2)),
    (typed) => jsonIn(typed, props.value).value,
  )
  return <JsonArea {...inputOf(props)} text={text} fault={jsonIn(text).fault} type={type} />
}

/** JSON as text, which cannot be sent as long as it has a fault. */
export function JsonArea({
  text,
  fault,
  type,
  ...input
}: ComponentProps<'textarea'> & {
  readonly text: string
  readonly fault: string | null
  readonly type: (text: string) => void
}): ReactNode {
  return (
    <>
      <textarea
        className="mono"
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        spellCheck={false}
        {...input}
        aria-invalid={input['aria-invalid'] === true || fault !== null}
        value={text}
        ref={(area) => area?.setCustomValidity(fault ?? '')}
        onChange={(event) => type(event.target.value)}
      />
      {fault === null ? null : <strong className="fault">{fault}</strong>}
    </>
  )
}

function RowsControl(props: ControlProps): ReactNode {
  const rows: readonly Json[] = Array.isArray(props.value) ? props.value : []
  const node = readNode(props.node.schema['items'], props.root)
  const set = (next: readonly Json[]): void => props.change(next.length === 0 ? undefined : next)
  return (
    <>
      {rows.map((row, index) => (
        // Rows have no identity but their place.
        <fieldset key={index} className="row-box">
          <legend>
            {props.name} {index + 1}
          </legend>
          <Members
            {...props}
            schema={node.schema}
            value={objectIn(row)}
            pointer={`${props.pointer}/${index}`}
            change={(next) => set(rows.with(index, next ?? {}))}
          />
          <Button className="small" onClick={() => set(rows.filter((_row, at) => at !== index))}>
            Remove {props.name} {index + 1}
          </Button>
        </fieldset>
      ))}
      <Button className="small" onClick={() => set([...rows, {}])}>
        Add to {props.name}
      </Button>
    </>
  )
}
