// Every screen by its path, in the order of the menu.
import { ActivityScreen } from './activity/activity.tsx'
import { ExplorerScreen } from './explorer/explorer.tsx'
import { ConnectedScreen } from './instances/connected.tsx'
import { InstanceScreen } from './instances/instance.tsx'
import { InstancesScreen } from './instances/instances.tsx'
import { NewInstanceScreen } from './instances/new-instance.tsx'
import { ReconnectScreen } from './instances/reconnect.tsx'
import { ManifestsScreen } from './manifests/manifests.tsx'
import { SearchScreen } from './search/search.tsx'
import { SignedInScreen } from './signed-in.tsx'
import { SyncScreen } from './sync/sync.tsx'
import { NewWebhookScreen } from './webhooks/new-webhook.tsx'
import { WebhookScreen } from './webhooks/webhook.tsx'
import { WebhooksScreen } from './webhooks/webhooks.tsx'
import type { ScreenEntry } from '../place.tsx'

export const SCREENS: readonly ScreenEntry[] = [
  { path: '/instances', area: 'instances', inMenu: 'Instances', show: InstancesScreen },
  { path: '/instances/new', area: 'instances', show: NewInstanceScreen },
  { path: '/connected', area: 'instances', show: ConnectedScreen },
  { path: '/instances/{id}/reconnect', area: 'instances', show: ReconnectScreen },
  { path: '/instances/{id}', area: 'instances', show: InstanceScreen },
  { path: '/signed-in', area: 'instances', show: SignedInScreen },
  { path: '/explorer', area: 'explorer', inMenu: 'Explorer', show: ExplorerScreen },
  { path: '/search', area: 'search', inMenu: 'Search', show: SearchScreen },
  { path: '/sync', area: 'sync', inMenu: 'Sync', show: SyncScreen },
  { path: '/webhooks', area: 'webhooks', inMenu: 'Webhooks', show: WebhooksScreen },
  { path: '/webhooks/new', area: 'webhooks', show: NewWebhookScreen },
  { path: '/webhooks/{id}', area: 'webhooks', show: WebhookScreen },
  { path: '/manifests', area: 'manifests', inMenu: 'Manifests', show: ManifestsScreen },
  { path: '/activity', area: 'activity', inMenu: 'Activity', show: ActivityScreen },
]
