// What a host app needs to test its own code: the entry `tenon/testing`.
export { manifestCases } from './manifest-cases.ts'
export type { ManifestCase, ManifestCaseOptions } from './manifest-cases.ts'
export { recorder } from './recorder.ts'
export type { Recorder, RecorderOptions } from './recorder.ts'
export { sandbox } from '../open-sandbox.ts'
export type { Sandbox, SandboxOptions } from '../sandbox.ts'
export type { KeptSubscription } from '../auth/subscriptions.ts'
export type { SandboxWebhook, WebhookAnswer } from '../wire/send-webhook.ts'
export { scriptedUpstream } from './scripted-upstream.ts'
export type {
  ExpectedRequest,
  ScriptedAnswer,
  ScriptedExchange,
  ScriptedUpstream,
} from './scripted-upstream.ts'
