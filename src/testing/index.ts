// What a host app needs to test its own code: the entry `tenon/testing`.
export { recorder } from './recorder.ts'
export type { Recorder, RecorderOptions } from './recorder.ts'
export { sandbox } from '../sandbox/open-sandbox.ts'
export type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts'
