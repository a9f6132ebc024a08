// How single values are shown: facts with their names, moments, and ids to copy.
import { createContext, Fragment, type ReactNode, useContext, useState } from 'react'
import { lastingWords, relativeTime } from '../../display/relative-time.ts'
import { useDue, useTick } from '../api/fresh.ts'
import { Button } from './controls.tsx'
import { clockLocal, exactLocal, wholeLocal } from '../../display/local-time.ts'
import './values.css'

export function Facts(props: {
  readonly of: readonly (readonly [name: string, fact: ReactNode])[]
}): ReactNode {
  return (
    <ExactTimes>
      <dl className="box facts">
        {props.of.map(([name, fact]) =>
          fact === null ? null : (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </Fragment>
          ),
        )}
      </dl>
    </ExactTimes>
  )
}

const Exact = createContext(false)

/** What people look into: times have the exact one next to them, because keyboards and fingers reach no tooltip. */
export function ExactTimes({ children }: { readonly children: ReactNode }): ReactNode {
  return <Exact value={true}>{children}</Exact>
}

/**
 * `exact`: the moment alone, where what is around it would not read well with how long ago that was; `clock`: without its
 * day, next to another moment of that minute. `isNext`: something is planned for it, which is due once it has passed: then
 * it is asked for again, often for a while.
 */
export function Time(props: {
  readonly at: string | null
  readonly none?: string
  readonly exact?: boolean | 'clock'
  readonly isNext?: boolean
}): ReactNode {
  const isExact = useContext(Exact)
  useTick()
  useDue(props.isNext === true ? props.at : null)
  if (props.at === null) return <span className="quiet">{props.none ?? 'never'}</span>
  return (
    <time dateTime={props.at} title={wholeLocal(props.at)}>
      {props.exact === 'clock'
        ? clockLocal(props.at)
        : props.exact === true
          ? exactLocal(props.at)
          : awayInWords(Date.parse(props.at) - Date.now(), props.isNext === true)}
      {isExact && (props.exact ?? false) === false ? (
        <>
          {' '}
          <span className="exact">({exactLocal(props.at)})</span>
        </>
      ) : null}
    </time>
  )
}

/** How long something has lasted that began then: `for 3 hours`, with when it began where exact times are told. */
export function Lasting({ since }: { readonly since: string }): ReactNode {
  const isExact = useContext(Exact)
  useTick()
  return (
    <time dateTime={since} title={wholeLocal(since)}>
      {lastingWords(Date.now() - Date.parse(since))}
      {isExact ? (
        <>
          {' '}
          <span className="exact">(since {exactLocal(since)})</span>
        </>
      ) : null}
    </time>
  )
}

/** What is planned is not done before its moment. */
const MOMENT_MS = 5_500

function awayInWords(ms: number, isNext: boolean): string {
  if (!isNext) return relativeTime(ms)
  return ms <= 0 ? 'now' : ms < MOMENT_MS ? 'in a moment' : relativeTime(ms)
}

export function CopyButton(props: {
  readonly text: string
  readonly label: string
  readonly words?: string
}): ReactNode {
  const [done, setDone] = useState<'no' | 'copied' | 'refused'>('no')
  const copy = (): void => {
    const tell = (result: 'copied' | 'refused'): void => {
      setDone(result)
      window.setTimeout(() => setDone('no'), 2000)
    }
    // Browsers have no clipboard on http beyond loopback.
    void (navigator.clipboard as Clipboard | undefined)?.writeText(props.text).then(
      () => tell('copied'),
      () => tell('refused'),
    )
  }
  return (
    <Button className="small" onClick={copy} aria-label={props.label}>
      <span aria-live="polite">
        {{ no: props.words ?? 'Copy', copied: 'Copied', refused: 'Select and copy by hand' }[done]}
      </span>
    </Button>
  )
}

export function Id(props: { readonly of: string; readonly label: string }): ReactNode {
  return (
    <>
      <code>{props.of}</code> <CopyButton text={props.of} label={props.label} />
    </>
  )
}
