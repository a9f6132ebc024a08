// The settings of an instance, changed in place.
import { type ReactNode, useState } from 'react'
import type { ConnectorDetail, Instance } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useTask } from '../../api/use-answer.ts'
import { fieldProblems, propertiesOf, shownPointers } from '../../form/schema-node.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useFormEnd } from '../../parts/lead-to.ts'
import { Fetched, ProblemNotice } from '../../parts/answer.tsx'

export interface SettingsDialogProps {
  readonly instance: Instance
  readonly close: () => void
  readonly done: () => void
}

export function SettingsDialog(props: SettingsDialogProps): ReactNode {
  const { connector_type: type } = props.instance
  return (
    <Dialog title="Change the settings" wide close={props.close}>
      <Fetched<ConnectorDetail> path={`/connectors/${encodeURIComponent(type)}`}>
        {({ config_schema: schema }) =>
          propertiesOf(schema).length === 0 ? (
            <p>This connector has no settings.</p>
          ) : (
            <Form {...props} schema={schema} />
          )
        }
      </Fetched>
    </Dialog>
  )
}

function Form(props: SettingsDialogProps & { readonly schema: JsonObject }): ReactNode {
  const { instance, schema } = props
  const [config, setConfig] = useState(instance.config)
  const { busy, problem, run } = useTask()
  const { form, notice } = useFormEnd(busy)
  const save = (): Promise<void> =>
    run(async () => {
      // What was there and is left empty now is taken away.
      const emptied = Object.fromEntries(Object.keys(instance.config).map((name) => [name, null]))
      const body = { config: { ...emptied, ...config } }
      await call('PATCH', instancePath(instance.id), { body })
      props.done()
    })
  return (
    <form ref={form} onSubmit={onSubmit(() => void save())}>
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
        <Button onClick={props.close}>Cancel</Button>
        <button className="primary" disabled={busy}>
          {busy ? 'Saving …' : 'Save'}
        </button>
      </div>
    </form>
  )
}
