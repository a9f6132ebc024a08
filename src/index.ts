// The public API of the embedded client.
export { connect } from './client/connect.ts'
export { connectHosted } from './client/hosted.ts'
export { consoleLogger } from './client/observe.ts'
export { loadManifest, loadManifests } from './client/load-manifest.ts'
export { serviceClient } from './client/service-client.ts'
export { verifyWebhook } from './client/webhooks/verify-webhook.ts'
export { fileFrom } from './client/files.ts'
export { ConnectorError, isConnectorError } from './errors.ts'
export type { BuiltinSettings, BuiltinType } from './client/connectors.ts'
export type {
  ActionCall,
  ActionDescription,
  Answer,
  CallOptions,
  Client,
  EntityDescription,
  OwnAnswer,
  OwnRequest,
  RequestOptions,
} from './client/client.ts'
// All of it: generated files add to the interface `Connectors` of this module.
export type * from './client/connectors.ts'
export type { ContentRange, Download } from './client/download.ts'
export type { AboutFile, ByteStream, FileInput, FilePath, GivenFile } from './client/files.ts'
export type { HostedOptions } from './client/hosted.ts'
export type { LoadOptions } from './client/load-manifest.ts'
export type { DirectOptions, HookEvent, Hooks, Logger } from './client/options.ts'
export type { Page, PageCall, PageMeta, Result } from './client/page-call.ts'
export type {
  ReplicaFacts,
  SearchCall,
  SearchFilter,
  SearchHit,
  SearchParams,
  SearchResult,
  SearchSort,
} from './client/search-call.ts'
export type {
  ConnectorInstance,
  Execution,
  InstanceChange,
  NewWebhook,
  RecordChange,
  Redelivered,
  ScopedToken,
  ScopedTokenRequest,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from './client/service-bodies.ts'
export type {
  ChangesFrom,
  ChangesPage,
  EventPage,
  FollowOptions,
  NewInstance,
  ServiceClient,
  ServiceClientOptions,
} from './client/service-client.ts'
export type { Span, Tracer } from './engine/run/trace.ts'
export type {
  ErrorCode,
  ErrorOrigin,
  Outcome,
  Problem,
  StepReport,
  UpstreamExcerpt,
} from './errors.ts'
export type { CheckResult } from './engine/run/check.ts'
export type { PreviewedRequest } from './engine/run/preview.ts'
export type { EventType, WebhookEvent } from './client/webhooks/event.ts'
export type { VerifyWebhookOptions, WebhookHeaders } from './client/webhooks/verify-webhook.ts'
