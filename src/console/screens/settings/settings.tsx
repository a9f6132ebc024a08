// Settings of the organisation: applications, connectors, people, the audit log, end users.
import type { ReactNode } from 'react'
import { Empty } from '../../parts/answer.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { addressOf, goTo, type ScreenProps } from '../../place.tsx'
import { useSession } from '../../session.ts'
import { Applications } from './applications.tsx'
import { AuditLog } from './audit-log.tsx'
import { Connectors } from './connectors.tsx'
import { EndUsers } from './end-users.tsx'
import { People } from './people.tsx'
import './settings.css'

export function SettingsScreen({ query }: ScreenProps): ReactNode {
  const { person } = useSession()
  if (person !== null && person.role !== 'administrator')
    return (
      <Screen title="Settings">
        <Empty
          title="Settings are for administrators"
          action={{ words: 'Go to the accounts', to: addressOf('/instances'), plain: true }}
        >
          Your role is {person.role}. An administrator can give you another one.
        </Empty>
      </Screen>
    )
  return (
    <Screen title="Settings" lead="What holds for your organisation.">
      <Tabs
        label="Settings"
        chosen={query.get('part') ?? 'applications'}
        choose={(part) => goTo(addressOf('/settings', { part }), { replace: true })}
        tabs={{
          applications: ['Applications', () => <Applications />],
          connectors: ['Connectors', () => <Connectors />],
          people: ['People', () => <People />],
          audit: ['Audit log', () => <AuditLog />],
          users: ['End users', () => <EndUsers />],
        }}
      />
    </Screen>
  )
}
