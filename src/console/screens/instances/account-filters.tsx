// What lists of accounts are narrowed by: words, state, connector and syncs, in the address of their screen.
import { type ReactNode, useEffect, useState } from 'react'
import { ATTENTION, FAILING, LATE, STATES } from '../../../display/account-states.ts'
import type { All, ConnectorSummary, InstancePage } from '../../api/answers.ts'
import { useGet, useSettled } from '../../api/use-answer.ts'
import { useWatchedAccounts } from '../../api/watch-accounts.ts'
import { onSubmit, Select } from '../../parts/controls.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, goTo, Link } from '../../place.tsx'
import type { Wanted } from './all-accounts.tsx'
import './instances.css'

const TYPED_MS = 200

type Facets = NonNullable<InstancePage['meta']['facets']>

export function AccountFilters(props: {
  /** The screen whose address has them. */
  readonly at: '/instances' | '/sync'
  readonly wanted: Wanted
  readonly facets: Facets | undefined
  /** Absent: the list has an order of its own. */
  readonly sorts?: readonly (readonly [value: string, words: string])[]
}): ReactNode {
  const { at, wanted, facets, sorts } = props
  // The list that they narrow tells what has changed as soon as it is heard.
  useWatchedAccounts()
  const types = useGet<All<ConnectorSummary>>('/connectors', {}, { kept: true })
  const [typed, setTyped] = useState(wanted.starts_with)
  const settled = useSettled(typed, TYPED_MS)
  const show = (change: Partial<Wanted>): void =>
    goTo(addressOf(at, { ...wanted, ...change }), { replace: true })
  useEffect(() => {
    if (settled.trim() !== wanted.starts_with) show({ starts_with: settled.trim() })
    // What is typed leads, not what it led to.
  }, [settled])
  useEffect(() => {
    if (wanted.starts_with !== settled.trim()) setTyped(wanted.starts_with)
  }, [wanted.starts_with])
  const counted = (kind: keyof Facets, value: string, words: string) => {
    const count = facets?.[kind]?.find((each) => each.value === value)?.count ?? 0
    return [
      value,
      facets === undefined ? words : `${words} (${count.toLocaleString('en')})`,
    ] as const
  }
  return (
    <form
      className="filters account-filters"
      role="search"
      aria-label="Filter accounts"
      onSubmit={onSubmit(() => show({ starts_with: typed.trim() }))}
    >
      <label>
        Find
        <input
          type="search"
          placeholder="Name, user or id"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Select
        label="State"
        value={wanted.state}
        options={[
          ANY,
          ...Object.entries(STATES).map(([state, { label }]) => counted('state', state, label)),
        ]}
        choose={(state) => show({ state })}
      />
      <Select
        label="Connector"
        value={wanted.connector_type}
        options={[
          ANY,
          ...(types.kind === 'ready' ? types.value.data : []).map((type) =>
            counted('connector_type', type.connector_type, type.title),
          ),
        ]}
        choose={(type) => show({ connector_type: type })}
      />
      <Select
        label="Syncs"
        value={wanted.sync}
        options={[
          ANY,
          counted('sync', 'attention', ATTENTION.label),
          counted('sync', 'failing', FAILING.label),
          counted('sync', 'late', LATE.label),
        ]}
        choose={(sync) => show({ sync })}
      />
      {sorts === undefined ? null : (
        <Select
          label="Order"
          value={wanted.sort}
          options={sorts}
          choose={(sort) => show({ sort })}
        />
      )}
      {wanted.external_user_id === '' ? null : (
        <p className="beside">
          One user only: {plainText(wanted.external_user_id)}.{' '}
          <Link to={addressOf(at, { ...wanted, external_user_id: '' })}>Show all</Link>
        </p>
      )}
    </form>
  )
}

const ANY = ['', 'any'] as const
