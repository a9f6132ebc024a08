// The service inside a host app: the entry `tenon/service`.
export { settingsFromEnvironment as configFromEnv, SettingsError } from '../service/environment.ts'
export type { ServiceLog } from '../service/log.ts'
export type { ServiceSettings } from '../service/settings.ts'
export type { Store } from '../store/store.ts'
export type { KeyProvider } from '../vault/key-provider.ts'
export { type HostPrincipal, tenonPlugin, type TenonPluginOptions } from './plugin.ts'
export { serve, type ServiceServer } from './server.ts'
export { createService, type Service, type ServiceOptions } from './service.ts'
