// The picture of a connector: the operator's file, else its monogram.
import type { ReactNode } from 'react'
import { monogramOf } from '../../connect/monogram.ts'
import type { All, ConnectorSummary } from '../api/answers.ts'
import { BASE } from '../place.tsx'
import { useGet } from '../api/use-answer.ts'
import './connector-icon.css'

export function ConnectorIcon({ type }: { readonly type: string }): ReactNode {
  const found = useConnectorTypes().find(({ connector_type: each }) => each === type)
  if (found?.icon_file === true)
    return <img className="connector-icon" src={`${BASE}/icons/${type}`} alt="" />
  const { letters, ground, ink } = monogramOf(type, found?.icon)
  return (
    <span className="connector-icon" style={{ background: ground, color: ink }} aria-hidden="true">
      {letters}
    </span>
  )
}

/** The connectors of the service; none until they are known. */
export function useConnectorTypes(): readonly ConnectorSummary[] {
  const types = useGet<All<ConnectorSummary>>('/connectors', {}, KEPT)
  return types.kind === 'ready' ? types.value.data : []
}

/** Connectors change with the service: a picture is not asked for with every row. */
const KEPT = { kept: true, freshMs: 300_000 }
