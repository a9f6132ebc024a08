// The picture of a connector: the operator's file, the letters and the colour of its manifest, else those that follow
// from its type.
import type { CSSProperties, ReactNode } from 'react'
import type { All, ConnectorSummary } from '../api/answers.ts'
import { BASE } from '../place.tsx'
import { useGet } from '../api/use-answer.ts'
import './connector-icon.css'

export function ConnectorIcon({ type }: { readonly type: string }): ReactNode {
  const types = useGet<All<ConnectorSummary>>('/connectors', {}, KEPT)
  const known = types.kind === 'ready' ? types.value.data : []
  const found = known.find(({ connector_type: each }) => each === type)
  if (found?.icon_file === true)
    return <img className="connector-icon" src={`${BASE}/icons/${type}`} alt="" />
  const icon = found?.icon
  // A custom property, of which the types of React know nothing.
  const style = { '--hue': icon?.hue ?? hueOf(type) } as CSSProperties
  return (
    <span className="connector-icon" style={style} aria-hidden="true">
      {icon?.letters ?? lettersOf(type)}
    </span>
  )
}

const DEGREES = 360
/** Connectors change with the service: a picture is not asked for with every row. */
const KEPT = { kept: true, freshMs: 300_000 }

function hueOf(type: string): number {
  let sum = 0
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return sum % DEGREES
}

/** `facebook-marketing`: FM. `jira`: Ji. */
function lettersOf(type: string): string {
  const [first = '', second] = type.split(/[-_]/)
  return second === undefined
    ? first.slice(0, 1).toUpperCase() + first.slice(1, 2)
    : (first.slice(0, 1) + second.slice(0, 1)).toUpperCase()
}
