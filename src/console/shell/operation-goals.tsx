// The operations of all connectors in the palette: on the account at hand, or on one that is chosen then.
import type { All, ConnectorSummary, Instance } from '../api/answers.ts'
import { useGet } from '../api/use-answer.ts'
import { ConnectorIcon } from '../parts/connector-icon.tsx'
import { addressOf, goTo } from '../place.tsx'
import type { Goal } from './goal.ts'

const KEPT = { kept: true, freshMs: 300_000 }

/** Those of the connector of `account` come first, and lead to it. */
export function useOperationGoals(account: Instance | null): readonly Goal[] {
  const answer = useGet<All<ConnectorSummary>>('/connectors', { operations: 'true' }, KEPT)
  const connectors = answer.kind === 'ready' ? answer.value.data : []
  const own = connectors.filter((each) => each.connector_type === account?.connector_type)
  return [...new Set([...own, ...connectors])].flatMap((connector) => {
    const { connector_type: type, title, operations = [] } = connector
    const place: Readonly<Record<string, string>> =
      account?.connector_type === type ? { instance: account.id } : { connector: type }
    return operations.map(({ entity, action, summary }) => ({
      id: `${type} ${entity}.${action}`,
      words: `${entity}.${action}`,
      about: summary === null ? title : `${title} · ${summary}`,
      found: type,
      icon: <ConnectorIcon type={type} />,
      needs: 'operations' as const,
      go: () => goTo(addressOf('/explorer', { ...place, entity, action })),
    }))
  })
}
