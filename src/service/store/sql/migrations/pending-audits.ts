// Operations that are about to be sent: what the audit log gets when their process ends before it could tell.
import type { Migration } from './migration.ts'

export const pendingAudits: Migration = {
  name: 'pending-audits',
  statements: ({ text, integer, options }) => [
    `create table audit_pending (
      pending_id ${text} not null primary key,
      organization_id ${text} not null,
      instance_id ${text},
      request_id ${text},
      actor ${text} not null,
      action ${text} not null,
      target ${text} not null,
      members ${text} not null,
      opened_at ${integer} not null
    ) ${options}`,
    'create index audit_pending_by_time on audit_pending (opened_at)',
  ],
}
