// People who signed in at the OpenID provider, and what their roles let them do.
import { type ReactNode, useState } from 'react'
import type { People as Known, Person } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { Empty, Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { Button } from '../../parts/controls.tsx'
import { Question } from '../../parts/dialog.tsx'
import { Table } from '../../parts/table.tsx'
import { Id, Time } from '../../parts/values.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { BASE, Link } from '../../place.tsx'
import { useSession } from '../../session.ts'
import { auditAddress } from './audit-filter.tsx'

const ROLES = {
  '': 'as the settings say',
  viewer: 'viewer',
  developer: 'developer',
  administrator: 'administrator',
} as const

/** In their order; what the settings give is not known here, and may be none. */
const RANKS = ['', 'viewer', 'developer', 'administrator'] as const

interface Lowered {
  readonly person: Person
  readonly role: keyof typeof ROLES
}

export function People(words: CardWords): ReactNode {
  const people = useGet<Known>('/settings/people')
  const { person: self } = useSession()
  const [leaving, setLeaving] = useState<Person | null>(null)
  const [lowered, setLowered] = useState<Lowered | null>(null)
  const task = useTask()
  const change = (person: Person, body: JsonObject): void =>
    void task.run(async () => {
      await call('PATCH', `/settings/people/${person.person_id}`, { body })
      setLeaving(null)
      setLowered(null)
      people.reload()
    })
  /** Asks first where it cannot be taken back by who does it. */
  const give = (person: Person, role: keyof typeof ROLES): void => {
    const isLess = RANKS.indexOf(role) < RANKS.indexOf(person.role)
    const isAsked = isLess && (person.login === self?.login || isLast(person, people.last?.data))
    if (isAsked) setLowered({ person, role })
    else change(person, { given_role: role === '' ? null : role })
  }
  return (
    <Card {...words}>
      {leaving === null && lowered === null ? <ProblemNotice problem={task.problem} /> : null}
      <Loaded of={people}>
        {({ data }) =>
          data.length === 0 ? (
            <>
              <Empty title="Nobody has signed in yet">
                People appear here once they have signed in at your OpenID provider. Without one
                everybody signs in with the secret of an application, and may do everything.
              </Empty>
              <Provider />
            </>
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
                  cell: (person) => <Who of={person} isSelf={person.login === self?.login} />,
                },
                {
                  title: 'Role',
                  className: 'settings-wide',
                  cell: (person) => (
                    <select
                      aria-label={`Role of ${person.login}`}
                      disabled={task.busy || person.removed_at !== null}
                      value={person.given_role ?? ''}
                      onChange={({ target: { value } }) => {
                        const role = RANKS.find((each) => each === value)
                        if (role !== undefined) give(person, role)
                      }}
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
                { title: 'Last sign-in', cell: (person) => <SignedIn of={person} /> },
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
      {people.last === null ? null : <Roles of={people.last.roles} />}
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
          <Loss of={leaving} all={people.last?.data} isSelf={leaving.login === self?.login} />
        </Question>
      )}
      {lowered === null ? null : (
        <Question
          title={`Take the role ${lowered.person.role} from ${lowered.person.login}?`}
          close={() => setLowered(null)}
          keep="Keep the role"
          task={task}
          answers={[
            {
              words: `Change to ${lowered.role === '' ? 'what the settings say' : lowered.role}`,
              look: 'danger',
              act: () =>
                change(lowered.person, { given_role: lowered.role === '' ? null : lowered.role }),
            },
          ]}
        >
          <Loss
            of={lowered.person}
            all={people.last?.data}
            isSelf={lowered.person.login === self?.login}
          />
          {lowered.role === '' ? (
            <p>The role that the settings give may be lower, or none.</p>
          ) : (
            <>
              <p>A {lowered.role} may not:</p>
              <ul className="settings-may">
                {people.last?.roles
                  .filter(
                    ({ role }) =>
                      RANKS.indexOf(role) > RANKS.indexOf(lowered.role) &&
                      RANKS.indexOf(role) <= RANKS.indexOf(lowered.person.role),
                  )
                  .flatMap(({ may }) => may)
                  .map((each) => (
                    <li key={each}>{each}</li>
                  ))}
              </ul>
            </>
          )}
        </Question>
      )}
    </Card>
  )
}

function Who({ of: { name, login }, isSelf }: { readonly of: Person; readonly isSelf: boolean }) {
  const words = plainText(name === null ? login : `${name}, ${login}`)
  const actor = `person:${login}`
  return (
    <>
      <span className="settings-two-lines" title={words}>
        {words}
      </span>
      <p className="fine">
        {isSelf ? 'This is you · ' : ''}
        <Link to={auditAddress({ actor })}>What they did</Link> ·{' '}
        <Link to={auditAddress({ target: actor })}>Sign-ins and role</Link>
      </p>
    </>
  )
}

function SignedIn({ of: person }: { readonly of: Person }): ReactNode {
  const { active_at: at, sessions } = person
  return (
    <>
      <Time at={person.signed_in_at} />
      {at === null ? null : (
        <p className="fine">
          active <Time at={at} />
          {sessions > 1 ? `, ${sessions} sessions` : null}
        </p>
      )}
    </>
  )
}

/** Whether nobody else of those who have signed in is an administrator. */
function isLast({ person_id: id, role }: Person, all: Known['data'] = []): boolean {
  return (
    role === 'administrator' &&
    all.every(
      (each) => each.person_id === id || each.removed_at !== null || each.role !== 'administrator',
    )
  )
}

/** What cannot be taken back by who does it. */
function Loss(props: {
  readonly of: Person
  readonly all: Known['data'] | undefined
  readonly isSelf: boolean
}): ReactNode {
  return (
    <>
      {props.isSelf ? <p>This is you: you cannot take it back yourself.</p> : null}
      {isLast(props.of, props.all) ? (
        <p>
          No other administrator has signed in yet: until one does, only somebody who signs in with
          the secret of an application can give roles.
        </p>
      ) : null}
    </>
  )
}

/** From the table that the service itself decides by. */
function Roles({ of: roles }: { readonly of: Known['roles'] }): ReactNode {
  return (
    <>
      <h3>What each role may do</h3>
      <div className="box rows">
        {roles.map(({ role, about, may }, at) => (
          <details key={role} className="settings-guide-of">
            <summary>
              <strong>{role}</strong> <span className="quiet">{about}</span>
            </summary>
            <div>
              {at === 0 ? null : <p>All that a {roles[at - 1]?.role} may, and:</p>}
              <ul className="settings-may">
                {may.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </div>
          </details>
        ))}
      </div>
    </>
  )
}

/** How people get names and roles. */
function Provider(): ReactNode {
  return (
    <>
      <h3>Set up a provider</h3>
      <ol className="settings-guide">
        <li>
          Register a client at your OpenID provider with this redirect address:{' '}
          <Id of={REDIRECT} label="Copy the redirect address" />
        </li>
        <li>Start the service with these settings:</li>
      </ol>
      <CodeView text={SETTINGS} label="settings of the provider" />
      <p className="quiet">
        A role has a list: TENON_OIDC_VIEWERS, TENON_OIDC_DEVELOPERS, TENON_OIDC_ADMINISTRATORS. In
        it stand addresses, whole domains such as <code>@example.com</code>, and values of the claim
        that TENON_OIDC_ROLE_CLAIM names, such as groups; the highest role counts. Others have
        TENON_OIDC_DEFAULT_ROLE, and without it get no session.
      </p>
    </>
  )
}

const REDIRECT = `${window.location.origin}${BASE}/api/v1/session/open-id`
const SETTINGS = `TENON_OIDC_ISSUER=https://…
TENON_OIDC_CLIENT_ID=…
TENON_OIDC_CLIENT_SECRET_FILE=…
TENON_OIDC_ADMINISTRATORS=you@example.com`
