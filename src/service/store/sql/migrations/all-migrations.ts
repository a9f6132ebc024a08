// The steps of the schema, oldest first. The version of a schema is how many of them ran.
import { connectSessions } from './connect-sessions.ts'
import { consentVersions } from './consent-versions.ts'
import { events } from './events.ts'
import { firstTables } from './first-tables.ts'
import { jobs } from './jobs.ts'
import { makers } from './makers.ts'
import type { Migration } from './migration.ts'
import { pendingAudits } from './pending-audits.ts'
import { rates } from './rates.ts'

export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  jobs,
  events,
  connectSessions,
  rates,
  makers,
  consentVersions,
  pendingAudits,
]
