// The bodies of the service as the console reads them: the types of its routes' schemas, with JSON where any value can be.
import type * as Bodies from '../../client/service-bodies.ts'
import type { Json, JsonObject } from './json-text.ts'

/** A type of the schemas, in which `object` is an object of JSON and `unknown` any JSON. */
type Read<T> = unknown extends T
  ? Json
  : T extends object
    ? object extends T
      ? JsonObject
      : { readonly [Member in keyof T]: Read<T[Member]> }
    : T

export interface All<T> {
  readonly data: readonly T[]
}

export type Session = Read<Bodies.ConsoleSession>
export type Instance = Read<Bodies.ConnectorInstance>
export type Access = Read<Bodies.InstanceAccess>
export type InstancePage = Read<Bodies.InstancePage>
export type CheckAnswer = Read<Bodies.InstanceCheck>
export type ConnectorSummary = Read<Bodies.ConnectorType>
export type ConnectorDetail = Read<Bodies.ConnectorTypeDetail>
export type AuthMethod = ConnectorSummary['auth_methods'][number]
export type Described = Read<Bodies.Described>
export type EntityDescription = Described['entities'][number]
export type ActionDescription = EntityDescription['actions'][number]
export type Envelope = Read<Bodies.Envelope>
export type Preview = Read<Bodies.Preview>
export type SearchAnswer = Read<Bodies.SearchAnswer>
export type LogEntry = Read<Bodies.LogEntry>
export type LogPage = Read<Bodies.LogPage>
export type LogFigures = Read<Bodies.LogFigures>
export type LogDetail = Read<Bodies.LogDetail>
export type ManifestCheck = Read<Bodies.ManifestCheck>
export type ManifestFinding = ManifestCheck['problems'][number]
export type ManifestDraft = Read<Bodies.ManifestDraft>
export type ManifestVersion = Read<Bodies.ManifestVersion>
export type PublishedResult = Read<Bodies.PublishedResult>
export type ManifestPreview = Read<Bodies.ManifestPreview>
export type ManifestRun = Read<Bodies.ManifestRun>
export type AuditEvent = Read<Bodies.AuditEvent>
export type Application = Read<Bodies.ConsoleApplication>
export type Applications = Read<Bodies.ConsoleApplications>
export type CheckedAddresses = Read<Bodies.CheckedAddresses>
export type ApplicationSecret = Read<Bodies.ApplicationSecret>
export type People = Read<Bodies.ConsolePeople>
export type Person = People['data'][number]
export type OfferedConnector = Read<Bodies.ConsoleConnector>
export type Erased = Read<Bodies.ErasedUser>
export type Changes = Read<Bodies.ChangesAnswer>
export type ChangeOfRecord = Changes['data'][number]
export type LastSync = Read<Bodies.ConsoleLastSync>
export type FailingSyncs = Read<Bodies.ConsoleFailingSyncs>
export type SyncStatus = Read<Bodies.SyncStatus>
export type Started = Read<Bodies.StartedSync>
export type Confirmed = Read<Bodies.SyncConfirmation>
export type Undone = Read<Bodies.SyncUndone>
export type SyncRun = NonNullable<SyncStatus['runs']>[number]
export type DeliveryPage = Read<Bodies.DeliveryPage>
export type ProblemBody = Read<Bodies.Problem>
export type {
  ConnectSession,
  OAuthConsent,
  ReturnUrls,
  SignInWays,
  Webhook,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from '../../client/service-bodies.ts'
