// The parts of the service: what each answers, what it does without being asked, and how it ends.
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import { AgentAccess, type ToProvider } from '../service/agent-access/agent-access.ts'
import { JobQueue } from '../service/jobs/store-queue.ts'
import { ConnectAttempts } from '../service/connect/connect-attempts.ts'
import { ConnectSessions } from '../service/connect/connect-sessions.ts'
import type { ConnectPagePorts } from '../service/connect/mount-connect.ts'
import { OPEN_ID_CALLBACK, OpenId } from '../service/console/open-id.ts'
import { consoleReturnUrls } from '../service/console/sessions.ts'
import { Cursors } from '../service/cursors.ts'
import { startDeliveries } from '../service/events/deliveries.ts'
import { createEmit } from '../service/events/emit.ts'
import { EventCursors } from '../service/events/event-cursor.ts'
import { Webhooks } from '../service/events/webhooks.ts'
import { failureFacts } from '../service/log.ts'
import { Connections } from '../service/instances/connections.ts'
import { Instances } from '../service/instances/instances.ts'
import { States } from '../service/instances/states.ts'
import { startJobs } from '../service/jobs.ts'
import type { Jobs } from '../service/repeat.ts'
import { Consents } from '../service/oauth/consents.ts'
import type { Route } from '../service/route.ts'
import { auditRoutes } from '../service/routes/audit-routes.ts'
import { catalogueRoutes } from '../service/routes/catalogue-routes.ts'
import { changesRoutes, type ChangesRoutePorts } from '../service/routes/changes-routes.ts'
import { connectRoutes } from '../service/routes/connect-routes.ts'
import { eventRoutes } from '../service/routes/event-routes.ts'
import { logRoutes } from '../service/routes/log-routes.ts'
import { executeRoutes } from '../service/routes/execute-routes.ts'
import { instanceRoutes } from '../service/routes/instance-routes.ts'
import { TAKEN_OVER_MS } from '../service/manifests/published-manifests.ts'
import { Publishing } from '../service/manifests/publishing.ts'
import { oauthRoutes } from '../service/routes/oauth-routes.ts'
import { oauthClientRoutes } from '../service/routes/oauth-client-routes.ts'
import { publishedRoutes } from '../service/routes/published-routes.ts'
import { syncRoutes } from '../service/routes/sync-routes.ts'
import { tokenRoutes } from '../service/routes/token-routes.ts'
import { userRoutes } from '../service/routes/user-routes.ts'
import { vendorWebhookRoutes } from '../service/routes/vendor-webhook-routes.ts'
import { webhookRoutes } from '../service/routes/webhook-routes.ts'
import { OwnWrites } from '../service/sync/own-writes.ts'
import { createSearchCopies } from '../service/sync/search-copies.ts'
import { SearchGate } from '../service/sync/search-gate.ts'
import { startSyncJobs } from '../service/sync/sync-jobs.ts'
import { createSyncParts } from '../service/sync/sync-parts.ts'
import { LateAccounts } from '../service/sync/late-accounts.ts'
import { Syncs } from '../service/sync/syncs.ts'
import { createTellChanged } from '../service/sync/tell-changed.ts'
import { FIRST_ORGANIZATION } from '../service/tokens/applications.ts'
import { Tokens } from '../service/tokens/tokens.ts'
import { Subscriptions } from '../service/vendor-webhooks/subscriptions.ts'
import { TellEvent } from '../service/vendor-webhooks/tell-event.ts'
import { VendorWebhooks } from '../service/vendor-webhooks/vendor-webhooks.ts'
import { WebhookRoutes } from '../service/vendor-webhooks/webhook-routes.ts'
import { openCopies, searchesAtOnce } from './copies-place.ts'
import { proxyOf } from './egress-proxy.ts'
import type { Foundation } from './foundation.ts'

export interface Wings {
  readonly routes: readonly Route[]
  readonly startJobs: () => readonly Jobs[]
  readonly syncs: Syncs
  readonly connections: Connections
  readonly connectPage: ConnectPagePorts
  readonly tokens: Tokens
  readonly agentAccess: AgentAccess
  readonly openId: OpenId | null
}

/** Opens the wings in the order in which each finds what it needs. Their ends go onto `opened`. */
export async function openWings(base: Foundation, opened: AsyncDisposableStack): Promise<Wings> {
  function add<W extends Wing>(wing: W): W {
    opened.defer(async () => await wing.close?.())
    return wing
  }
  const copies = add(await copiesWing(base))
  const instances = add(instancesWing(base, copies))
  const consent = add(consentWing(base, instances))
  const syncing = add(syncingWing(base, copies, instances))
  const operations = add(operationsWing(base, copies, instances, syncing))
  const applications = add(applicationsWing(base, instances))
  const events = add(eventsWing(base))
  const users = userRoutes({ ...base, index: copies.index, instances: instances.instances })
  // In the order of the OpenAPI document.
  const wings: readonly Wing[] = [
    instances,
    consent,
    operations,
    syncing,
    applications,
    publishingWing(base, copies),
    events,
    { routes: users },
  ]
  return {
    routes: wings.flatMap((wing) => wing.routes ?? []),
    startJobs: () => wings.flatMap((wing) => wing.jobs?.() ?? []),
    syncs: copies.syncs,
    connections: instances.connections,
    connectPage: consent.connectPage,
    tokens: applications.tokens,
    agentAccess: applications.agentAccess,
    openId: applications.openId,
  }
}

interface Wing {
  readonly routes?: readonly Route[]
  /** Starts what it does without being asked. */
  readonly jobs?: () => readonly Jobs[]
  /** Called when no request and no job runs any more, before anything that the wing was made with is closed. */
  readonly close?: () => Promise<void>
}

/** The synchronized copies, and the queue of what is to be done with them. */
async function copiesWing(base: Foundation) {
  const { settings, store, catalogue, clock, log, told } = base
  const index = await openCopies(settings, base)
  const queue = new JobQueue({
    jobs: store.jobs,
    leases: store.leases,
    clock,
    ownerId: base.processId,
    isBusy: () => told.pressure(),
    onError: (error, job) =>
      log.warn(
        {
          ...failureFacts(error),
          ...(job === null ? {} : { job: job.kind, connector_id: job.instanceId, entity: job.key }),
        },
        job === null
          ? 'jobs could not be looked for; it is tried again'
          : 'a background job failed; it runs again',
      ),
  })
  const syncs = new Syncs({
    index,
    queue,
    store,
    clock,
    log,
    manifestOf: (row) => catalogue.forInstance(row.connectorType, row.connectorVersion),
    syncIntervalSeconds: settings.syncIntervalSeconds,
  })
  return { index, queue, syncs, close: () => index.close() }
}

type CopiesWing = Awaited<ReturnType<typeof copiesWing>>

function instancesWing(base: Foundation, { syncs, queue }: CopiesWing) {
  const { settings, clock, rows, metrics } = base
  const connections = new Connections({
    ...base,
    observeRefresh: (type, result, commitMs) => metrics.refresh(type, result, commitMs),
  })
  const webhookRoutes = new WebhookRoutes(base)
  const changed = (id: string, { areSyncsDue = true } = {}): void => {
    syncs.changed(id, areSyncsDue)
    webhookRoutes.changed(id)
    subscriptions.changed(id)
  }
  const states = new States(base, (id, { isNews, isBack }) => {
    rows.forget(id)
    if (isNews) changed(id, { areSyncsDue: isBack })
  })
  const subscriptions: Subscriptions = new Subscriptions({
    ...base,
    queue,
    connections,
    states,
    isPublic: settings.publicUrl !== null || base.isDevelopment,
    webhookSecrets: settings.webhookSecrets,
  })
  const instances = new Instances({
    ...base,
    states,
    connections,
    subscriptions,
    allowServerUrl: settings.allowServerUrl || base.isDevelopment,
    syncsChanged: (id) => changed(id),
    syncsRescheduled: (before, row) => syncs.rescheduled(before, row),
  })
  const { syncIntervalSeconds, eventDays, auditDays } = settings
  const cursors = new Cursors(base.vault, clock)
  return {
    states,
    connections,
    instances,
    webhookRoutes,
    subscriptions,
    routes: instanceRoutes({
      ...base,
      connections,
      cursors,
      instances,
      late: new LateAccounts({ ...base, syncIntervalSeconds }),
      subscriptions,
      syncIntervalSeconds,
    }),
    jobs: () => [
      ...startJobs({ ...base, connections, eventDays, auditDays }),
      webhookRoutes.start(),
    ],
    async close() {
      await webhookRoutes.close()
      await subscriptions.close()
      // A refresh under way is carried to its commit, whatever time it takes.
      await connections.close()
    },
  }
}

type InstancesWing = ReturnType<typeof instancesWing>

/** Consent at third parties, and the page that asks people for what connects their accounts. */
function consentWing(base: Foundation, { instances }: InstancesWing) {
  const sessions = new ConnectSessions(base)
  const consents = new Consents({
    ...base,
    ownReturnUrls: () => consoleReturnUrls(base.publicUrl()),
    onFailure: (row, failure, requestId) => attempts.noteFailure(row, failure, requestId),
  })
  const attempts: ConnectAttempts = new ConnectAttempts({
    ...base,
    sessions,
    instances,
    consents,
  })
  return {
    connectPage: { ...base, sessions, attempts },
    routes: [...oauthRoutes(consents), ...connectRoutes(sessions)],
  }
}

/** Entities that one process synchronizes at once. */
const SYNC_JOBS = 4

/** What keeps the copies like their third parties. */
function syncingWing(
  base: Foundation,
  { index, queue, syncs }: CopiesWing,
  { connections, states, webhookRoutes, subscriptions }: InstancesWing,
) {
  const { settings, store, rows, metrics, vault, clock } = base
  const tellChanged = createTellChanged({
    index,
    emit: createEmit(store),
    cursors: new Cursors(vault, clock),
  })
  const partsOf = createSyncParts({ ...base, index, queue, connections })
  const ownWrites = new OwnWrites({ ...base, partsOf, queue, tellChanged })
  const tellEvent = new TellEvent({ ...base, partsOf, queue, tellChanged })
  const { webhookSecrets } = settings
  const webhooks = new VendorWebhooks({ ...base, routes: webhookRoutes, tellEvent, webhookSecrets })
  return {
    ownWrites,
    routes: [...syncRoutes({ rows, syncs, store }), ...vendorWebhookRoutes(webhooks)],
    jobs: () => {
      startSyncJobs(
        {
          ...base,
          index,
          queue,
          states,
          partsOf,
          tellChanged,
          subscriptions,
          syncIntervalSeconds: settings.syncIntervalSeconds,
          syncBounds: {
            pages: settings.syncMaxPages,
            records: settings.syncMaxRecords,
            bytes: settings.syncMaxBytes,
            pagesWithoutNew: settings.syncMaxPagesWithoutNew,
          },
          observe: (turn) => metrics.sync(turn),
        },
        SYNC_JOBS,
      )
      return []
    },
    async close() {
      // Syncs end at their next page: what is written stays, and the lease goes back for another process.
      await queue.close(0)
      await ownWrites.close()
      await tellEvent.close()
    },
  }
}

function operationsWing(
  base: Foundation,
  { index, syncs }: CopiesWing,
  { states, connections }: InstancesWing,
  { ownWrites }: ReturnType<typeof syncingWing>,
) {
  const { settings, clock, metrics, vault } = base
  const asked: Pick<ChangesRoutePorts, 'index' | 'gate' | 'intervalMs'> = {
    index,
    gate: new SearchGate(clock, searchesAtOnce(settings)),
    intervalMs: (row, entity) => syncs.intervalMs(row, entity),
  }
  return {
    routes: [
      ...executeRoutes({
        ...base,
        states,
        connections,
        search: createSearchCopies({ ...base, ...asked, index }),
        ownWrites,
        observe: (operation) => metrics.operation(operation),
      }),
      ...changesRoutes({
        ...base,
        ...asked,
        connections,
        syncs,
        cursors: new Cursors(vault, clock),
      }),
    ],
  }
}

/** Manifests that are published while the service runs. */
function publishingWing(base: Foundation, { syncs }: CopiesWing) {
  const cursors = new Cursors(base.vault, base.clock)
  const publishing = new Publishing({
    ...base,
    reader: base.workshopThread,
    // Of several processes, another one may do it.
    othersServe: (place) => syncs.servedByOther(place, base.store.isShared ? TAKEN_OVER_MS : 0),
  })
  return { routes: publishedRoutes({ published: base.published, publishing, cursors }) }
}

/** What applications are told of connectors, and the tokens that they call with. */
function applicationsWing(base: Foundation, { connections }: InstancesWing) {
  const { devToken: token } = base.settings
  const tokens = new Tokens({
    ...base,
    devToken: token === null ? null : { token, organizationId: FIRST_ORGANIZATION },
  })
  const opened: Transport[] = []
  const providerOf = (issuer: string, allowedBy: string): Transport => {
    const transport = createUndiciTransport({
      allowHosts: [new URL(issuer).host],
      allowedBy,
      proxy: proxyOf(base.settings),
    })
    opened.push(transport)
    return transport
  }
  const toProvider: ToProvider = (issuer) => providerOf(issuer, 'TENON_MCP_ISSUER')
  const { settings, clock, publicUrl } = base
  const { oidcIssuer: issuer, oidcClientId: clientId } = settings
  const openId =
    issuer === null || clientId === null
      ? null
      : new OpenId({
          issuer,
          clientId,
          transport: providerOf(issuer, 'TENON_OIDC_ISSUER'),
          clock,
          settings,
          redirectUri: () => `${publicUrl()}${OPEN_ID_CALLBACK}`,
        })
  return {
    tokens,
    openId,
    agentAccess: new AgentAccess({ ...base, tokens, toProvider }),
    routes: [
      ...catalogueRoutes({ ...base, connections }),
      ...oauthClientRoutes(base),
      ...tokenRoutes(tokens),
    ],
    async close() {
      for (const transport of opened) await transport.close()
    },
  }
}

/** What happened to instances, the webhooks that are told of it, and the logs. */
function eventsWing(base: Foundation) {
  const { vault, clock, metrics, webhookTransport } = base
  const ownCursors = new Cursors(vault, clock)
  const cursors = new EventCursors(ownCursors)
  const webhooks = new Webhooks({ ...base, ...webhookTransport })
  return {
    routes: [
      ...eventRoutes({ ...base, cursors }),
      ...auditRoutes({ ...base, cursors: new Cursors(vault, clock) }),
      ...webhookRoutes({ ...base, cursors, webhooks }),
      ...logRoutes({ ...base, cursors: ownCursors }),
    ],
    jobs: () => [
      startDeliveries({
        ...base,
        transport: webhookTransport.transport,
        observe: (result) => metrics.delivery(result),
      }),
    ],
  }
}
