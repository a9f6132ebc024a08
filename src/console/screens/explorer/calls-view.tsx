// Saved calls and the last runs of an account: each opens with its parameters.
import { type ReactNode, useState } from 'react'
import { SEARCH } from '../../../language/manifest/actions.ts'
import { writeJson } from '../../api/json-text.ts'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { explorerAddress, searchAddress } from '../../parts/in-address.ts'
import { Time } from '../../parts/values.tsx'
import { Link } from '../../place.tsx'
import { useOwner } from '../../session.ts'
import { type CallList, dropCall, keepCall, type KeptCall, readCalls } from './calls.ts'
import './explorer.css'

export function CallsView(props: {
  readonly instance: string
  /** What can be saved now; null: nothing. */
  readonly present: Omit<KeptCall, 'at' | 'words'> | null
  /** Whether they are searches, which have a screen of their own. */
  readonly isSearch?: boolean
}): ReactNode {
  const { instance, present, isSearch = false } = props
  const owner = useOwner()
  const [title, setTitle] = useState('')
  const [, setRound] = useState(0)
  const look = (): void => setRound((before) => before + 1)
  const save = (): void => {
    if (present === null) return
    const words = title.trim() === '' ? `${present.entity}.${present.action}` : title.trim()
    keepCall('saved', owner, { ...present, words, at: new Date().toISOString() })
    setTitle('')
    look()
  }
  const rowsOf = (list: CallList): ReactNode => {
    const calls = readCalls(list, owner).filter(
      (call) => call.instance === instance && (call.action === SEARCH) === isSearch,
    )
    if (calls.length === 0)
      return <p className="quiet">{list === 'saved' ? 'None is saved yet.' : 'None ran yet.'}</p>
    return (
      <ul className="box rows calls">
        {calls.map((call) => (
          <li key={`${call.at} ${call.entity} ${call.action} ${writeJson(call.params)}`}>
            <Link to={isSearch ? searchAddress(call) : explorerAddress(call)}>
              {list === 'saved' ? call.words : `${call.entity}.${call.action}`}
            </Link>
            <code className="cut" title={writeJson(call.params)}>
              {writeJson(call.params)}
            </code>
            <span className="fine">
              {list === 'saved' ? '' : `${call.words} · `}
              <Time at={call.at} />
            </span>
            <Button
              className="small"
              aria-label={`Forget ${call.words}`}
              onClick={() => {
                dropCall(list, owner, call)
                look()
              }}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <div className="pile">
      <h3>{isSearch ? 'Saved searches' : 'Saved calls'}</h3>
      {rowsOf('saved')}
      {present === null ? null : (
        <form className="filters" onSubmit={onSubmit(save)}>
          <label>
            Name
            <input
              maxLength={80}
              placeholder={`${present.entity}.${present.action}`}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </label>
          <button>{isSearch ? 'Save this search' : 'Save this call'}</button>
        </form>
      )}
      {isSearch ? null : (
        <>
          <h3>Last runs</h3>
          {rowsOf('runs')}
        </>
      )}
      <p className="fine">
        Kept in this browser, with their parameters
        {isSearch ? '.' : '; signing out removes the runs.'}
      </p>
    </div>
  )
}
