// People who signed in at the OpenID provider, and their roles.
import { type ReactNode, useState } from 'react'
import type { All, Person } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { Empty, Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { Button } from '../../parts/controls.tsx'
import { Question } from '../../parts/dialog.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

const ROLES = {
  '': 'as the settings say',
  viewer: 'viewer',
  developer: 'developer',
  administrator: 'administrator',
} as const

export function People(words: CardWords): ReactNode {
  const people = useGet<All<Person>>('/settings/people')
  const [leaving, setLeaving] = useState<Person | null>(null)
  const task = useTask()
  const change = (person: Person, body: JsonObject): void =>
    void task.run(async () => {
      await call('PATCH', `/settings/people/${person.person_id}`, { body })
      setLeaving(null)
      people.reload()
    })
  return (
    <Card {...words}>
      {leaving === null ? <ProblemNotice problem={task.problem} /> : null}
      <Loaded of={people}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nobody has signed in yet">
              People appear here once they have signed in at your OpenID provider. Without one
              (TENON_OIDC_ISSUER), everybody signs in with the secret of an application.
            </Empty>
          ) : (
            <Table
              label="Known people"
              className="two-lines"
              rows={data}
              keyOf={({ person_id: id }) => id}
              columns={[
                {
                  title: 'Person',
                  kind: 'name',
                  className: 'settings-cell row-name',
                  cell: ({ name, login }) => (name === null ? login : `${name}, ${login}`),
                },
                {
                  title: 'Role',
                  className: 'settings-wide',
                  cell: (person) => (
                    <select
                      aria-label={`Role of ${person.login}`}
                      disabled={task.busy || person.removed_at !== null}
                      value={person.given_role ?? ''}
                      onChange={({ target: { value } }) =>
                        change(person, { given_role: value === '' ? null : value })
                      }
                    >
                      {Object.entries(ROLES).map(([value, words]) => (
                        <option key={value} value={value}>
                          {value === '' && person.given_role === null
                            ? `${person.role}, ${words}`
                            : words}
                        </option>
                      ))}
                    </select>
                  ),
                },
                { title: 'Last sign-in', cell: (person) => <Time at={person.signed_in_at} /> },
                {
                  title: 'Actions',
                  kind: 'unseen',
                  className: 'row-result',
                  cell: (person) =>
                    person.removed_at === null ? (
                      <Button className="small" onClick={() => setLeaving(person)}>
                        Remove
                      </Button>
                    ) : (
                      <Button
                        className="small"
                        disabled={task.busy}
                        onClick={() => change(person, { removed: false })}
                      >
                        Let in again
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {leaving === null ? null : (
        <Question
          title={`Remove ${leaving.login}?`}
          close={() => setLeaving(null)}
          task={task}
          answers={[
            { words: 'Remove', look: 'danger', act: () => change(leaving, { removed: true }) },
          ]}
        >
          <p>Their sessions end at once, and they get no other until they are let in again.</p>
        </Question>
      )}
    </Card>
  )
}
