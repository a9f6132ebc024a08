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
import { SyncScreen } from './sync/sync.tsx'
import { NewWebhookScreen } from './webhooks/new-webhook.tsx'
import { WebhookScreen } from './webhooks/webhook.tsx'
import { WebhooksScreen } from './webhooks/webhooks.tsx'
import type { ScreenEntry } from './screen-entry.ts'

const ID = '(?<id>[0-9a-f-]+)'

export const SCREENS: readonly ScreenEntry[] = [
  {
    path: /^\/instances$/,
    area: 'instances',
    inMenu: { title: 'Instances', to: '/instances' },
    show: InstancesScreen,
  },
  { path: /^\/instances\/new$/, area: 'instances', inMenu: null, show: NewInstanceScreen },
  { path: /^\/connected$/, area: 'instances', inMenu: null, show: ConnectedScreen },
  {
    path: new RegExp(`^/instances/${ID}/reconnect$`),
    area: 'instances',
    inMenu: null,
    show: ReconnectScreen,
  },
  { path: new RegExp(`^/instances/${ID}$`), area: 'instances', inMenu: null, show: InstanceScreen },
  {
    path: /^\/explorer$/,
    area: 'explorer',
    inMenu: { title: 'Explorer', to: '/explorer' },
    show: ExplorerScreen,
  },
  {
    path: /^\/search$/,
    area: 'search',
    inMenu: { title: 'Search', to: '/search' },
    show: SearchScreen,
  },
  {
    path: /^\/sync$/,
    area: 'sync',
    inMenu: { title: 'Sync', to: '/sync' },
    show: SyncScreen,
  },
  {
    path: /^\/webhooks$/,
    area: 'webhooks',
    inMenu: { title: 'Webhooks', to: '/webhooks' },
    show: WebhooksScreen,
  },
  { path: /^\/webhooks\/new$/, area: 'webhooks', inMenu: null, show: NewWebhookScreen },
  { path: new RegExp(`^/webhooks/${ID}$`), area: 'webhooks', inMenu: null, show: WebhookScreen },
  {
    path: /^\/manifests$/,
    area: 'manifests',
    inMenu: { title: 'Manifests', to: '/manifests' },
    show: ManifestsScreen,
  },
  {
    path: /^\/activity$/,
    area: 'activity',
    inMenu: { title: 'Activity', to: '/activity' },
    show: ActivityScreen,
  },
]
