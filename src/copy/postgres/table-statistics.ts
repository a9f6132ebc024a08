// What the planner knows of the tables of copies: when it is to look at them again, and which words it knows to be common.
import pg from 'pg'
import type { CopyId } from '../search/search-index.ts'
import { COPY_TABLES } from './copy-tables.ts'

/** The planner does not know what it costs to look for words in long texts, which lie apart from their rows. */
export const PLANNING = 'enable_seqscan = off'
/** A process asks for a look after so many records that it wrote to a copy, and this long after any. */
const LOOK_AFTER = 1_000
const LOOK_AFTER_MS = 10_000
const MAX_COUNTED = 1_000
/** One process at a time, on each node. */
const LOOK_LOCK = 7_205_401_119
/** A table on PostgreSQL, and the parts of it on a node of a Citus. */
const namedAs = (tables: readonly string[]): string => `~ '^(${tables.join('|')})(_[0-9]+)?$'`

/**
 * What waits to be put into the indexes of words is put there: with much of it a sequential scan looks cheaper than the
 * index. Then the server looks at tables that have grown or changed by a quarter; new pages count at once, changed rows
 * when it has noted them. It also looks where it knows all values of a column but the copy's: the planner supposes one
 * record of those, however many there are. A table that is locked is left for the next look.
 */
function lookFor({ instanceId, entity, epoch }: CopyId): string {
  const ofCopy = Object.entries({ instance_id: instanceId, entity, epoch: String(epoch) })
  const values = ofCopy.map((pair) => `(${pair.map((text) => pg.escapeLiteral(text)).join(', ')})`)
  return `DO $do$ DECLARE found regclass; BEGIN
  IF NOT pg_try_advisory_xact_lock(${LOOK_LOCK}) THEN RETURN; END IF;
  FOR found IN SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
    JOIN pg_class t ON t.oid = i.indrelid WHERE a.amname = 'gin' AND i.indisvalid AND t.relkind = 'r'
    AND t.relnamespace = @schema::regnamespace AND t.relname ${namedAs(['replica_record'])}
  LOOP PERFORM gin_clean_pending_list(found); END LOOP;
  FOR found IN SELECT c.oid FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE c.relnamespace = @schema::regnamespace AND c.relname ${namedAs(COPY_TABLES)}
    AND (s.n_mod_since_analyze > greatest(1000, c.reltuples / 4)
      OR pg_relation_size(c.oid) / current_setting('block_size')::int > greatest(10, c.relpages * 1.25)
      OR c.relname = @part AND EXISTS (SELECT FROM pg_stats k JOIN (VALUES ${values.join(', ')}) v (name, value) ON k.attname = v.name
        WHERE k.schemaname = s.schemaname AND k.tablename = s.relname AND k.n_distinct > 0
        AND cardinality(k.most_common_vals::text::text[]) >= k.n_distinct AND v.value <> ALL (k.most_common_vals::text::text[])))
  LOOP EXECUTE 'ANALYZE (SKIP_LOCKED) ' || found; END LOOP;
END $do$`
}

/** Terms beyond the most common ones are not in the statistics; without a look at the table there are none. */
const COMMON_TERMS = `SELECT coalesce(json_agg(term), '[]')::text AS result FROM pg_stats s, unnest(s.most_common_elems::text::text[]) AS term
  WHERE s.schemaname = @schema AND s.tablename ${namedAs(['replica_record'])} AND s.attname = 'terms'`

/** Runs one statement, however long it takes. */
export type Ask = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

export class TableStatistics {
  readonly #ask: Ask
  readonly #isCitus: boolean
  /** Records by copy, since the last look. */
  readonly #written = new Map<string, number>()
  #looking: Promise<unknown> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(ask: Ask, isCitus: boolean) {
    this.#ask = ask
    this.#isCitus = isCitus
  }

  /**
   * Records of a copy were written: the server looks at what has grown. Whoever wrote much waits for it, because searches
   * of what the planner believes to be small take long.
   */
  async noteWritten(copy: CopyId, count: number): Promise<void> {
    if (count === 0) return
    const key = JSON.stringify([copy.instanceId, copy.entity, copy.epoch])
    const written = (this.#written.get(key) ?? 0) + count
    if (this.#written.size >= MAX_COUNTED) this.#written.clear()
    this.#written.set(key, written)
    this.#timer ??= setTimeout(() => void this.#look(copy), LOOK_AFTER_MS).unref()
    if (written < LOOK_AFTER) return
    this.#written.delete(key)
    // A look that is under way began before.
    await this.#looking
    await this.#look(copy)
  }

  /** The terms of all copies that the planner knows to be common. */
  async commonTerms(): Promise<readonly string[]> {
    const rows = await this.#onNodes(COMMON_TERMS)
    // Lists of texts, made by `json_agg`.
    return rows.flatMap(({ result }) => JSON.parse(String(result)) as readonly string[])
  }

  /** Resolves when no look is under way, and none will begin. */
  async close(): Promise<void> {
    clearTimeout(this.#timer ?? undefined)
    await this.#looking
  }

  async #look(copy: CopyId): Promise<void> {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    this.#looking ??= this.#onNodes(lookFor(copy), copy.instanceId)
      // The next look finds it still to be done, and the server looks at tables by itself, too.
      .catch(() => undefined)
      .finally(() => (this.#looking = null))
    await this.#looking
  }

  /** Each node of a Citus knows of its own parts; one that is away is left out. Asked once a minute and after many writes. */
  async #onNodes(text: string, instanceId: string = ''): ReturnType<Ask> {
    if (!this.#isCitus)
      return await this.#ask(
        text.replaceAll('@schema', 'current_schema()').replace('@part', "'replica_record'"),
      )
    const part = `'replica_record_' || get_shard_id_for_distribution_column('replica_record', ${pg.escapeLiteral(instanceId)})`
    const command = `replace(replace(${pg.escapeLiteral(text)}, '@schema', quote_literal(current_schema())), '@part', quote_literal(${part}))`
    return await this.#ask(
      `SELECT result FROM run_command_on_all_nodes(${command}, give_warning_for_connection_errors := true) WHERE success`,
    )
  }
}
