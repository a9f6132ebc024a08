// The parts of Settings: what they are called, found by, and who may see them.
import type { RightName } from '../../../display/rights.ts'

export type SettingPart = 'applications' | 'connectors' | 'people' | 'audit' | 'users'

export interface SettingPartText {
  readonly title: string
  /** What the palette calls it, where there are no others next to it. */
  readonly words: string
  readonly needs: RightName
  /** Further words that it is found by. */
  readonly found: string
}

export const SETTING_PARTS: Readonly<Record<SettingPart, SettingPartText>> = {
  applications: {
    title: 'Applications',
    words: 'Applications',
    needs: 'applications',
    found: 'secrets api keys tokens client ids rotate',
  },
  connectors: {
    title: 'Connectors',
    words: 'Connectors, OAuth clients',
    needs: 'clients',
    found: 'integrations consent scopes redirect addresses oauth apps',
  },
  people: {
    title: 'People',
    words: 'People, roles',
    needs: 'people',
    found: 'team members permissions rights sign-in invite add a colleague',
  },
  audit: {
    title: 'Audit log',
    words: 'Audit log',
    needs: 'audit',
    found: 'history who did what refusals who deleted who changed',
  },
  users: {
    title: 'End users',
    words: 'End users, export, erasure',
    needs: 'users',
    found: 'privacy customers delete',
  },
}

export function isSettingPart(name: string): name is SettingPart {
  return Object.hasOwn(SETTING_PARTS, name)
}
