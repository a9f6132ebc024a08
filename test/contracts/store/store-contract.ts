// What every store must do, whatever database it lies in.
import { afterAll, beforeAll, describe } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { applicationsAndTokens } from './applications-and-tokens.ts'
import { audit } from './audit.ts'
import { connectSessions } from './connect-sessions.ts'
import { consoleSessions } from './console-sessions.ts'
import { endedProcess } from './ended-process.ts'
import { events } from './events.ts'
import { idempotency } from './idempotency.ts'
import { instances } from './instances.ts'
import { jobs } from './jobs.ts'
import { keysAndConsents } from './keys-and-consents.ts'
import { logs } from './logs.ts'
import { manifests } from './manifests.ts'
import { oauthClients } from './oauth-clients.ts'
import { people } from './people.ts'
import { rates } from './rates.ts'
import { refresh } from './refresh.ts'
import { schema } from './schema.ts'
import type { StoreSubject } from './subject.ts'
import { subscriptions } from './subscriptions.ts'
import { syncFailures } from './sync-failures.ts'
import { twoOpenings } from './two-openings.ts'
import { users } from './users.ts'
import { vendorWebhooks } from './vendor-webhooks.ts'

/** The suite. The statements of all its tests are looked at by the last. */
export function storeContract(subject: StoreSubject): void {
  const statements = new Set<string>()
  let opened: Store | undefined

  function store(): Store {
    if (opened === undefined) throw new Error('the store is opened before the tests')
    return opened
  }

  beforeAll(async () => {
    opened = await subject.open({ onStatement: (sql) => void statements.add(sql) })
  })
  afterAll(() => subject.close())

  describe('applications and tokens', () => {
    applicationsAndTokens(store)
  })
  describe('instances', () => {
    instances(store)
  })
  describe('credentials and their refresh', () => {
    refresh(store)
  })
  describe('rates', () => {
    rates(store)
  })
  describe('data keys and consents', () => {
    keysAndConsents(store)
  })
  describe('connect pages', () => {
    connectSessions(store)
  })
  describe('sessions of the console', () => {
    consoleSessions(() => subject, store)
  })
  describe('people of the console', () => {
    people(() => subject, store)
  })
  describe('OAuth clients of organizations', () => {
    oauthClients(() => subject, store)
  })
  describe('published manifests', () => {
    manifests(() => subject, store)
  })
  describe('idempotency', () => {
    idempotency(store)
  })
  describe('jobs', () => {
    jobs(() => subject, store)
  })
  describe('audit', () => {
    audit(() => subject, store)
  })
  describe('end users', () => {
    users(store)
  })
  describe('events and webhooks', () => {
    events(() => subject, store)
  })
  describe('logs', () => {
    logs(store)
  })
  describe('webhooks of vendors', () => {
    vendorWebhooks(store)
  })
  describe('subscriptions at vendors', () => {
    subscriptions(store)
  })
  describe('copies that fail', () => {
    syncFailures(store)
  })
  describe('a process that has ended', () => {
    endedProcess(store)
  })
  describe('several processes', () => {
    twoOpenings(() => subject, store)
  })
  describe('schema', () => {
    schema(() => subject, store, statements)
  })
}
