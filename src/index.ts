// The public API of the embedded client.
export { connect } from './client/connect.ts'
export { consoleLogger } from './client/observe.ts'
export { loadManifest } from './client/load-manifest.ts'
export { ConnectorError, isConnectorError } from './errors.ts'
export type {
  ActionCall,
  ActionDescription,
  Answer,
  CallOptions,
  Client,
  EntityDescription,
} from './client/client.ts'
export type { ContentRange, Download } from './client/download.ts'
export type { DirectOptions, HookEvent, Hooks, Logger } from './client/options.ts'
export type { Page, PageCall, PageMeta, Result } from './client/page-call.ts'
export type {
  ErrorCode,
  ErrorOrigin,
  Outcome,
  Problem,
  StepReport,
  UpstreamExcerpt,
} from './errors.ts'
export type { Manifest } from './manifest/manifest.ts'
export type { CheckResult } from './run/check.ts'
export type { PreviewedRequest } from './run/preview.ts'
