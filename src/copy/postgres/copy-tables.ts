// The tables of all instances' copies in PostgreSQL. Every key begins with the instance, so that they can be spread by it.
import type { Placement } from '../../database/citus.ts'
import type { Schema, SchemaStep } from '../../database/migrate.ts'
import { SLOT_COLUMNS } from '../sql/dialect.ts'

const COPY =
  'instance_id text COLLATE "C" NOT NULL, entity text COLLATE "C" NOT NULL, epoch integer NOT NULL'
const ENTITY = 'instance_id text COLLATE "C" NOT NULL, entity text COLLATE "C" NOT NULL'

/** Keys are compared by bytes everywhere, whatever the collation of the database. */
const FIRST_TABLES = [
  `CREATE TABLE IF NOT EXISTS replica_scope (
    ${COPY}, scope_no bigint NOT NULL, serving integer NOT NULL, layout_hash text NOT NULL, layout text NOT NULL,
    version bigint NOT NULL DEFAULT 0, next_seq bigint NOT NULL DEFAULT 1, live bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0, mixed integer NOT NULL DEFAULT 0, complete integer NOT NULL DEFAULT 0,
    synced_at bigint, facts text NOT NULL DEFAULT '', owner text NOT NULL DEFAULT '', fence bigint NOT NULL DEFAULT 0,
    lease_until bigint NOT NULL DEFAULT 0, settings text NOT NULL DEFAULT '', PRIMARY KEY (instance_id, entity, epoch)
  ) WITH (fillfactor = 50)`,
  `DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'replica_scope'::regclass AND attname = 'settings') THEN
      ALTER TABLE replica_scope ADD COLUMN settings text NOT NULL DEFAULT '';
    END IF;
  END $$`,
  `CREATE TABLE IF NOT EXISTS replica_record (
    ${COPY}, record_id text COLLATE "C" NOT NULL, seq bigint NOT NULL, doc_hash bytea NOT NULL,
    ${SLOT_COLUMNS.map((slot) => `${slot} text COLLATE "C",`).join(' ')} lift jsonb, parent_id text COLLATE "C",
    observed_at bigint NOT NULL, held_until bigint NOT NULL, folded jsonb, sub text COLLATE "C", terms tsvector NOT NULL,
    doc text NOT NULL, PRIMARY KEY (instance_id, entity, epoch, record_id)
  )`,
  `CREATE TABLE IF NOT EXISTS replica_removed (
    ${COPY}, record_id text COLLATE "C" NOT NULL, seq bigint NOT NULL, doc_hash bytea NOT NULL, parent_id text COLLATE "C",
    observed_at bigint NOT NULL, held_until bigint NOT NULL, removed_run text NOT NULL, removed_at bigint NOT NULL,
    doc text NOT NULL, PRIMARY KEY (instance_id, entity, epoch, record_id)
  )`,
  `CREATE TABLE IF NOT EXISTS replica_term (
    ${COPY}, term text COLLATE "C" NOT NULL, version bigint NOT NULL, PRIMARY KEY (instance_id, entity, epoch, term)
  )`,
  `CREATE TABLE IF NOT EXISTS sync_seen (
    ${ENTITY}, run_id text NOT NULL, chunk_no integer NOT NULL, bits bytea NOT NULL,
    PRIMARY KEY (instance_id, entity, run_id, chunk_no)
  )`,
  `CREATE TABLE IF NOT EXISTS sync_todo (
    ${ENTITY}, parent_id text COLLATE "C" NOT NULL, mark bigint NOT NULL, not_before bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (instance_id, entity, parent_id)
  )`,
  `CREATE TABLE IF NOT EXISTS sync_entry (
    ${ENTITY}, name text COLLATE "C" NOT NULL, value bytea NOT NULL, PRIMARY KEY (instance_id, entity, name)
  )`,
]

/**
 * Steps are only ever added: one that was released is never edited. Indexes are no steps but `COPY_INDEXES`, which takes
 * no lock that a sync would wait for.
 */
const STEPS: readonly SchemaStep[] = [
  // Databases of versions before there were steps have these tables already; they are taken as they are.
  { name: 'first-tables', statements: FIRST_TABLES },
  // The number of the newest copy, in one row of nobody. A sequence would be of one node of a Citus. Processes of the
  // version before go on to take numbers from a sequence while they are replaced: some are left to them.
  {
    name: 'copy-numbers',
    statements: [
      'CREATE TABLE replica_number (instance_id text COLLATE "C" PRIMARY KEY, newest bigint NOT NULL)',
      "INSERT INTO replica_number (instance_id, newest) SELECT '', coalesce(max(scope_no) + 100, 0) FROM replica_scope",
    ],
  },
  // The write that changed a record last, and the one that removed it: who reads changes goes on behind one.
  {
    name: 'changes',
    statements: [
      `ALTER TABLE replica_scope ${['generation text', 'traced bigint', 'forgotten bigint'].map(added).join(', ')}`,
      `ALTER TABLE replica_record ${['changed bigint', 'added bigint'].map(added).join(', ')}`,
      `ALTER TABLE replica_removed ${added('changed bigint')}`,
    ],
  },
]

function added(column: string): string {
  return `ADD COLUMN ${column} NOT NULL DEFAULT ${column.endsWith('text') ? "''" : '0'}`
}

export const COPY_SCHEMA: Schema = {
  kind: 'postgres',
  name: 'the synchronized copy',
  table: 'replica_migration',
  types: { text: 'text', integer: 'bigint', options: '' },
  lock: 7_205_401_117,
  // Half as long as a search may take.
  lockTimeout: '1s',
  steps: STEPS,
}

const OF_COPY = 'instance_id, entity, epoch'

/** What follows `CREATE INDEX … ON`. One that is missing or was not finished is made; one to be removed is a step. */
export const COPY_INDEXES: Readonly<Record<string, string>> = {
  replica_seq: `replica_record (${OF_COPY}, seq)`,
  ...Object.fromEntries(
    SLOT_COLUMNS.map((slot) => [
      `replica_${slot}`,
      `replica_record (${OF_COPY}, ${slot}, seq) WHERE ${slot} IS NOT NULL`,
    ]),
  ),
  replica_parent: `replica_record (${OF_COPY}, parent_id) WHERE parent_id IS NOT NULL`,
  replica_terms: 'replica_record USING gin (terms)',
  replica_removed_run: `replica_removed (${OF_COPY}, removed_run)`,
  replica_changed: `replica_record (${OF_COPY}, changed, seq)`,
  replica_removed_changed: `replica_removed (${OF_COPY}, changed, seq)`,
  replica_term_version: `replica_term (${OF_COPY}, version)`,
}

/** What makes parts of texts quick to find. Without these extensions the same is found by looking at every text. */
export const PARTS_EXTENSIONS = ['pg_trgm', 'btree_gin'] as const
export const PARTS_INDEXES: Readonly<Record<string, string>> = {
  replica_parts: 'replica_record USING gin (instance_id, sub gin_trgm_ops) WHERE sub IS NOT NULL',
}

/** Tables of copies, in the order in which an instance is deleted from them. */
export const COPY_TABLES = [
  'replica_record',
  'replica_removed',
  'replica_term',
  'sync_seen',
  'sync_todo',
  'sync_entry',
  'replica_scope',
] as const

/** Where they lie on Citus: the copies of an instance together, and apart from everything else. */
export const COPY_PLACEMENTS: Readonly<Record<string, Placement>> = {
  replica_migration: 'reference',
  ...Object.fromEntries(
    [...COPY_TABLES.toReversed(), 'replica_number'].map((table) => [
      table,
      { by: 'instance_id', group: 'copies' },
    ]),
  ),
}
