// The settings of an instance, changed in place.
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { ConnectorDetail, Instance } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { fieldProblems, shownPointers } from '../../form/field-problems.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { propertiesOf } from '../../form/schema-node.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { instancePath } from './instance-path.ts'

export interface SettingsDialogProps {
  readonly instance: Instance
  readonly close: () => void
  /** They were changed. */
  readonly done: () => void
}

export function SettingsDialog(props: SettingsDialogProps): ReactNode {
  const { connector_type: type } = props.instance
  const connector = useAnswer(type, (signal) =>
    call<ConnectorDetail>('GET', `/connectors/${encodeURIComponent(type)}`, { signal }),
  )
  return (
    <Dialog title="Change the settings" wide close={props.close}>
      <Loaded of={connector}>
        {({ config_schema: schema }) =>
          propertiesOf(schema).length === 0 ? (
            <p>This connector has no settings.</p>
          ) : (
            <Form {...props} schema={schema} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Form(props: SettingsDialogProps & { readonly schema: JsonObject }): ReactNode {
  const { instance, schema } = props
  const [config, setConfig] = useState(instance.config)
  const { busy, problem, run } = useDeed()
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  useEnded(busy, () => leadTo(form.current, notice.current))
  const save = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      // What was there and is left empty now is taken away.
      const emptied = Object.fromEntries(Object.keys(instance.config).map((name) => [name, null]))
      const body = { config: { ...emptied, ...config } }
      await call('PATCH', instancePath(instance.id), { body })
      props.done()
    })
  }
  return (
    <form ref={form} onSubmit={save}>
      <SchemaForm
        schema={schema}
        value={config}
        change={setConfig}
        pointer="/config"
        problems={fieldProblems(problem)}
        inWords
      />
      <ProblemNotice
        place={notice}
        problem={problem}
        shown={shownPointers(problem, '/config', schema)}
      />
      <div className="actions">
        <button type="button" onClick={props.close}>
          Cancel
        </button>
        <button className="primary" disabled={busy}>
          {busy ? 'Saving …' : 'Save'}
        </button>
      </div>
    </form>
  )
}
