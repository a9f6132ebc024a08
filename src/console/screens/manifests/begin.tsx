// How a manifest begins: of the template, of a document of the API, or of one that is served.
import { FileJson2, FilePlus2, Files } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { manifestTemplate, TYPE_PATTERN } from '../../../tools/authoring/manifest-template.ts'
import { Button, onSubmit, TextField } from '../../parts/controls.tsx'
import type { All, ConnectorSummary } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Time } from '../../parts/values.tsx'
import { Link } from '../../place.tsx'
import { openDraft } from './drafted.tsx'
import { keptWork } from './drafts.ts'

export function Begin(props: {
  /** In which a document is chosen. */
  readonly box: ReactNode
  /** The list of those that are served. */
  readonly served: ReactNode
}): ReactNode {
  return (
    <section className="pile" aria-labelledby="begin">
      <h2 id="begin">Build a connector</h2>
      <p className="begin-words">
        A manifest is one YAML file that says all a connector does: where the API is, how people
        sign in, which records there are, and how pages follow each other. While you write, this
        screen shows what is wrong, each request as it would be sent, and the types. There are three
        ways to begin:
      </p>
      <div className="begin">
        <Way icon={<FilePlus2 size={20} aria-hidden />} title="New from the template">
          <p className="quiet">One action that works at once, with a comment at each part.</p>
          <NewOne />
        </Way>
        <Way icon={<FileJson2 size={20} aria-hidden />} title="From an OpenAPI file">
          <p className="quiet">
            Its operations become a draft, with notes of what you have to decide.
          </p>
          {props.box}
        </Way>
        <Way icon={<Files size={20} aria-hidden />} title="From one that is served">
          <p className="quiet">Read it, try a change, and save it under a name of its own.</p>
          {props.served}
        </Way>
      </div>
      <InThisTab />
    </section>
  )
}

/** What would be lost with the tab, and the ways back to it. */
function InThisTab(): ReactNode {
  const [work, setWork] = useState(keptWork)
  if (work.length === 0) return null
  return (
    <section className="pile" aria-labelledby="in-this-tab">
      <h3 id="in-this-tab">In this tab, not saved</h3>
      <ul className="kept-work">
        {work.map(({ name, at, isDraft, to, discard }) => (
          <li key={to} className="line">
            <Link to={to}>{name}</Link>
            <span className="quiet">
              {isDraft ? 'a draft' : 'changes to what is served'}
              {at === null ? null : (
                <>
                  , <Time at={new Date(at).toISOString()} />
                </>
              )}
            </span>
            <Button
              className="small"
              onClick={() => {
                discard()
                setWork(keptWork)
              }}
            >
              Discard<span className="unseen"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Way(props: {
  readonly icon: ReactNode
  readonly title: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className="box pile way" aria-label={props.title}>
      <h3>
        {props.icon}
        {props.title}
      </h3>
      {props.children}
    </section>
  )
}

function NewOne(): ReactNode {
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const typed = name.trim()
  const { last } = useGet<All<ConnectorSummary>>('/connectors')
  const isServed = last?.data.some(({ connector_type: type }) => type === typed) === true
  const begin = (): void => {
    setWrong(!TYPE_PATTERN.test(typed))
    if (TYPE_PATTERN.test(typed))
      openDraft({ connector_type: typed, text: manifestTemplate(typed), report: null })
  }
  return (
    <form className="part" onSubmit={onSubmit(begin)}>
      <TextField
        label="Name of the connector"
        placeholder="acme-crm"
        spellCheck={false}
        maxLength={60}
        value={name}
        about={
          isServed ? `${typed} is served already: Changes compares the draft with it.` : undefined
        }
        fault={isWrong ? 'Small letters and digits, with - between words: acme-crm.' : undefined}
        change={setName}
      />
      <div className="actions">
        <button className="primary">Begin</button>
      </div>
    </form>
  )
}
