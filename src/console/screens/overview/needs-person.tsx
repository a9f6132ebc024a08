// The accounts that wait for their users, and what several of them have in common.
import type { ReactNode } from 'react'
import { type IllTogether, illTogether, isMostOf } from '../../../display/ill-together.ts'
import type { All, ConnectorSummary, Instance, InstancePage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { stateInWords } from '../../parts/state-badge.tsx'
import { Lasting } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { AllWell } from './failing.tsx'
import { FailingEndpoints } from './failing-endpoints.tsx'
import { countOf, Names, Row, someOf, UserIcon } from './together.tsx'

const LIST = '/integrations/connectors'
const SHOWN = 5
/** Of so many it is looked at what they have in common. */
const LOOKED_AT = 50

export function NeedsPerson({ meta: all }: { readonly meta: InstancePage['meta'] }): ReactNode {
  const query = { ...NEEDS, sort: '-updated_at', limit: String(LOOKED_AT), counts: 'true' }
  const page = useGet<InstancePage>(LIST, query, { kept: true })
  return (
    <Card title="Needs a person">
      <Loaded of={page}>
        {({ data, meta }) => {
          if (data.length === 0) return <AllWell>No account waits for its user.</AllWell>
          const told = illTogether(data, (each) => ({
            user: each.external_user_id,
            type: each.connector_type,
            code: each.state_reason?.code ?? '',
          }))
          const shown = told.slice(0, SHOWN)
          const total = meta.total ?? data.length
          return (
            <>
              <ul className="home-list">
                {shown.map((each) =>
                  each.kind === 'one' ? (
                    <Row key={each.those[0].id} instance={each.those[0]} view="">
                      <Waits instance={each.those[0]} />
                    </Row>
                  ) : (
                    <Several
                      key={each.those[0]?.id}
                      of={each}
                      isWhole={total <= data.length}
                      all={all}
                      waiting={meta}
                    />
                  ),
                )}
              </ul>
              {told.some(({ kind }) => kind !== 'one') && total > data.length ? (
                <p className="quiet">Counted among the {data.length} that changed last.</p>
              ) : null}
              {total > shown.length ? (
                <Link to={addressOf('/instances', NEEDS)}>All {total.toLocaleString('en')}</Link>
              ) : null}
            </>
          )
        }}
      </Loaded>
      <FailingEndpoints />
    </Card>
  )
}

const NEEDS = { state: 'auth_error' } as const

function Waits({ instance }: { readonly instance: Instance }): ReactNode {
  const { state_reason: reason } = instance
  return (
    <>
      {stateInWords(instance)}{' '}
      {reason === null ? null : (
        <>
          This has lasted <Lasting since={reason.since} />.
        </>
      )}
      <WhoActs codes={[reason?.code]} />
    </>
  )
}

/** Who they all wait for; nothing where that differs. */
function WhoActs({ codes }: { readonly codes: readonly (string | undefined)[] }): ReactNode {
  const [acts = null, ...others] = new Set(
    codes.map((code) => (code === undefined ? null : whoActs(code))),
  )
  return acts === null || others.length > 0 ? null : ` Who acts: ${acts}.`
}

/** Several accounts of one user, or many of one connector that wait for the same reason. */
function Several(props: {
  readonly of: Exclude<IllTogether<Instance>, { kind: 'one' }>
  readonly isWhole: boolean
  readonly all: InstancePage['meta']
  readonly waiting: InstancePage['meta']
}): ReactNode {
  const { of, isWhole, all } = props
  const [first] = of.those
  if (first === undefined) return null
  const total = of.kind === 'vendor' ? countOf(all, of.type) : null
  const reasons = new Set(of.those.map((each) => stateInWords(each)))
  const oldest = of.those.flatMap((each) => each.state_reason?.since ?? []).toSorted()[0] ?? null
  return (
    <li>
      {of.kind === 'vendor' ? <ConnectorIcon type={of.type} /> : <UserIcon />}
      <div>
        <Link
          to={addressOf(
            '/instances',
            of.kind === 'vendor'
              ? { ...NEEDS, connector_type: of.type }
              : { ...NEEDS, external_user_id: of.user },
          )}
        >
          {someOf({ isWhole, some: of.those.length, total })} accounts of{' '}
          {of.kind === 'vendor' ? of.type : plainText(of.user)}
        </Link>
        <p className="fine">
          <Names
            of={of.those.slice(0, SHOWN).map(({ id, name }) => ({ connector_id: id, name }))}
            total={of.those.length}
            to={(id) => addressOf(`/instances/${id}`)}
          />
        </p>
        {reasons.size > 1 ? null : (
          <p className="fine">
            {stateInWords(first)}{' '}
            {oldest === null ? null : (
              <>
                For the first, this has lasted <Lasting since={oldest} />.
              </>
            )}
            <WhoActs codes={of.those.map(({ state_reason: reason }) => reason?.code)} />
          </p>
        )}
        {of.kind === 'vendor' &&
        isMostOf(countOf(props.waiting, of.type) ?? 0, total ?? Infinity) ? (
          <p className="fine">
            Most accounts of it: look at <ClientOf of={of.those} />
            the third party before you ask users.
          </p>
        ) : null}
      </div>
    </li>
  )
}

/** Where one of these accounts was connected by a consent, which has a client. */
function ClientOf({ of: accounts }: { readonly of: readonly Instance[] }): ReactNode {
  const types = useGet<All<ConnectorSummary>>('/connectors', {}, { kept: true })
  const connectors = types.last?.data ?? []
  const isByConsent = accounts.some(({ connector_type: type, auth_method: method }) =>
    connectors
      .find((each) => each.connector_type === type)
      ?.auth_methods.some(({ name, oauth }) => name === method && oauth),
  )
  return isByConsent ? 'its OAuth client and at ' : null
}
