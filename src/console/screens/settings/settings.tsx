// Settings of the organisation: applications, connectors, people, the audit log, end users.
import type { ReactNode } from 'react'
import { LinkTabs } from '../../parts/account-nav.tsx'
import { Empty } from '../../parts/answer.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, type ScreenProps } from '../../place.tsx'
import { useRefusals } from '../../session.ts'
import { Applications } from './applications.tsx'
import { AuditLog } from './audit-log.tsx'
import { Connectors } from './connectors.tsx'
import { EndUsers } from './end-users.tsx'
import { People } from './people.tsx'
import { NotThere } from '../../parts/not-there.tsx'
import { isSettingPart, SETTING_PARTS, type SettingPart } from './setting-parts.ts'
import './settings.css'

const PARTS = {
  applications: {
    about: 'Your apps that call this service, each with a client id and a secret of its own.',
    show: Applications,
  },
  connectors: {
    about: 'What your users can connect, and how each vendor gets to know this service.',
    show: Connectors,
  },
  people: {
    about: 'Who has signed in to this console, and what they may do here.',
    show: People,
  },
  audit: {
    about:
      'Who did what, and when. What is written here is chained: tenon audit verify finds an event that was changed or taken away.',
    show: AuditLog,
  },
  users: {
    about: 'Hand over, or erase, everything that is kept of one user of your app.',
    show: EndUsers,
  },
} as const satisfies Readonly<Record<SettingPart, unknown>>

export function SettingsScreen({ query }: ScreenProps): ReactNode {
  const refusal = useRefusals()('applications')
  if (refusal !== null)
    return (
      <Screen title="Settings">
        <Empty
          title="Settings are for administrators"
          action={{ words: 'Go to the accounts', to: addressOf('/instances'), plain: true }}
        >
          {refusal}.
        </Empty>
      </Screen>
    )
  const asked = query.get('part') ?? ''
  const chosen = isSettingPart(asked) ? asked : 'applications'
  const { show: Shown, about } = PARTS[chosen]
  const { title } = SETTING_PARTS[chosen]
  return (
    <Screen
      title="Settings"
      lead="Applications, connectors, people and the audit log of your organisation."
      windowTitle={`${title} · Settings`}
    >
      <div className="settings">
        <LinkTabs
          label="Settings"
          className="settings-menu"
          tabs={Object.entries(SETTING_PARTS).map(([part, each]) => [
            each.title,
            addressOf('/settings', { part }),
            part === chosen,
          ])}
        />
        {asked === '' || asked === chosen ? null : (
          <NotThere what="part of the settings" value={asked} shown={`${title} is shown`} />
        )}
        <Shown title={title} about={about} />
      </div>
    </Screen>
  )
}
