// PostgreSQL with the extension Citus while a node is away: a statement that asks all parts of its tables, sent to each part
// on its own, so that the nodes that answer are heard.

export interface PartsQuestion {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** What a node answers: `result` is a JSON list of rows, or why there is none. */
export interface PartsAnswer {
  readonly success: boolean
  readonly result: string
}

/**
 * The same question, once for each node: one row for each, `PartsAnswer`. `text` names each of its tables behind `from` or
 * `join`, and has to mean the same for each part as for the whole: all its tables lie together, and nothing is counted or
 * grouped over parts. An order and a limit are those of a part. A change is one transaction for each node.
 *
 * Source: Citus, `master_run_on_worker`, which tells for each connection whether it could be made.
 */
export function overParts(
  { text, parameters }: PartsQuestion,
  tables: readonly string[],
): PartsQuestion {
  let template = text.replaceAll('%', '%%')
  for (const [index, table] of tables.entries())
    template = template.replaceAll(
      new RegExp(String.raw`\b(from|join) "?${table}"?(?=\s|$)( as "\w+")?`, 'g'),
      (_match, word: string, alias: string = ` as "${table}"`) => `${word} %${index + 1}$s${alias}`,
    )
  // A literal without a type has the type of what it is compared with, as a parameter has.
  template = template.replaceAll(
    /\$(\d+)/g,
    (_match, n: string) => `%${tables.length + Number(n)}$L`,
  )
  const values = parameters.map((_, index) => `$${index + 3}::text`).join(', ')
  return {
    text: `with shard as (
      select nodename, nodeport, row_number() over () as n,
        array_agg(shard_name(part.logicalrelid, part.shardid) order by asked.no) as names
      from unnest($1::regclass[]) with ordinality as asked (relation, no)
      join pg_dist_shard part on part.logicalrelid = asked.relation
      join pg_dist_shard_placement using (shardid)
      group by nodename, nodeport, shardminvalue
    ), node as (
      select nodename, nodeport, 'with '
        || string_agg(format('q%s as (%s)', n, format($2, variadic names || array[${values}]::text[])), ', ')
        || ' select coalesce(json_agg(one), ''[]'') from ('
        || string_agg(format('select to_json(q%s) as one from q%s', n, n), ' union all ') || ') a' as command
      from shard group by nodename, nodeport
    ), every as (
      select array_agg(nodename) as names, array_agg(nodeport) as ports, array_agg(command) as commands from node
    )
    select success, result from every, master_run_on_worker(names, ports, commands, true)`,
    parameters: [`{${tables.join(',')}}`, template, ...parameters],
  }
}
