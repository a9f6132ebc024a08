// How a manifest begins: of the template, of a document of the API, or of one that is served.
import { FileJson2, FilePlus2, Files } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { manifestTemplate, TYPE_PATTERN } from '../../../tools/authoring/manifest-template.ts'
import { onSubmit, TextField } from '../../parts/controls.tsx'
import { openDraft } from './drafted.tsx'

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
  const begin = (): void => {
    const type = name.trim()
    setWrong(!TYPE_PATTERN.test(type))
    if (TYPE_PATTERN.test(type))
      openDraft({ connector_type: type, text: manifestTemplate(type), report: null })
  }
  return (
    <form className="part" onSubmit={onSubmit(begin)}>
      <TextField
        label="Name of the connector"
        placeholder="acme-crm"
        spellCheck={false}
        maxLength={60}
        value={name}
        fault={isWrong ? 'Small letters and digits, with - between words: acme-crm.' : undefined}
        change={setName}
      />
      <div className="actions">
        <button className="primary">Begin</button>
      </div>
    </form>
  )
}
