// Every screen by its path, in the order of the menu. Each is loaded when it is opened.
import {
  Activity,
  FileCode2,
  LayoutDashboard,
  RefreshCw,
  Search,
  Settings,
  SquareTerminal,
  Users,
  Webhook,
} from 'lucide-react'
import { FAILING } from '../../display/account-states.ts'
import type { ScreenEntry } from '../place.tsx'
import { screen } from '../shell/late-screen.tsx'

const Overview = screen(() => import('./overview/overview.tsx'), 'OverviewScreen')
const Instances = screen(() => import('./instances/instances.tsx'), 'InstancesScreen')
const NewInstance = screen(() => import('./instances/new-instance.tsx'), 'NewInstanceScreen')
const Connected = screen(() => import('./instances/connected.tsx'), 'ConnectedScreen')
const Reconnect = screen(() => import('./instances/reconnect.tsx'), 'ReconnectScreen')
const Instance = screen(() => import('./instances/instance.tsx'), 'InstanceScreen')
const Explorer = screen(() => import('./explorer/explorer.tsx'), 'ExplorerScreen')
const SearchShown = screen(() => import('./search/search.tsx'), 'SearchScreen')
const Sync = screen(() => import('./sync/sync.tsx'), 'SyncScreen')
const SignedIn = screen(() => import('./signed-in.tsx'), 'SignedInScreen')
const Webhooks = screen(() => import('./webhooks/webhooks.tsx'), 'WebhooksScreen')
const NewWebhook = screen(() => import('./webhooks/new-webhook.tsx'), 'NewWebhookScreen')
const OneWebhook = screen(() => import('./webhooks/webhook.tsx'), 'WebhookScreen')
const Manifests = screen(() => import('./manifests/manifests.tsx'), 'ManifestsScreen')
const SettingsShown = screen(() => import('./settings/settings.tsx'), 'SettingsScreen')
const Logs = screen(() => import('./logs/logs.tsx'), 'LogsScreen')

// `key`: g and this letter lead there.
// prettier-ignore
export const SCREENS: readonly ScreenEntry[] = [
  { path: '/overview', area: 'overview', inMenu: 'Overview', alsoCalled: 'home dashboard start', key: 'o', icon: LayoutDashboard, show: Overview },
  { path: '/instances', area: 'instances', inMenu: 'Accounts', alsoCalled: 'connections instances connectors', key: 'a', icon: Users, show: Instances },
  { path: '/instances/new', area: 'instances', show: NewInstance },
  { path: '/connected', area: 'instances', show: Connected },
  { path: '/instances/{id}/reconnect', area: 'instances', show: Reconnect },
  { path: '/instances/{id}', area: 'instances', show: Instance },
  { path: '/signed-in', area: 'instances', show: SignedIn },
  { path: '/explorer', area: 'explorer', inMenu: 'Explorer', alsoCalled: 'operations call run try', key: 'e', icon: SquareTerminal, show: Explorer },
  { path: '/search', area: 'search', inMenu: 'Search', alsoCalled: 'find records query', key: 's', icon: Search, show: SearchShown },
  { path: '/sync', area: 'sync', inMenu: 'Sync', alsoCalled: `syncs synchronize synchronization copies pause schedule failing ${FAILING.found}`, key: 'y', icon: RefreshCw, show: Sync },
  { path: '/logs', area: 'logs', inMenu: 'Logs', alsoCalled: `failing requests history today ${FAILING.found}`, key: 'l', icon: Activity, show: Logs },
  { path: '/webhooks', area: 'webhooks', inMenu: 'Webhooks', alsoCalled: 'endpoints events deliveries test a webhook secret', key: 'w', icon: Webhook, show: Webhooks },
  { path: '/webhooks/new', area: 'webhooks', show: NewWebhook },
  { path: '/webhooks/{id}', area: 'webhooks', show: OneWebhook },
  { path: '/manifests', area: 'manifests', inMenu: 'Manifests', key: 'm', icon: FileCode2, show: Manifests },
  { path: '/settings', area: 'settings', inMenu: 'Settings', key: 't', icon: Settings, show: SettingsShown },
]
