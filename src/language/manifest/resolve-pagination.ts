// Pagination: which parameter moves, where the next value lies, what goes into meta.
import type { MetaPick, Pagination } from './manifest.ts'
import { styleOf, turnsPages } from './pagination-styles.ts'
import { resolveFlag } from './resolve-answer.ts'
import { orNull } from './or-null.ts'
import type { Site } from './resolver.ts'
import type { PaginationSource, PicksSource } from './source.ts'

/** Resolves a pagination for one action. `declared`: the names of its parameters. */
export function resolvePagination(
  pagination: PaginationSource,
  site: Site,
  declared: ReadonlySet<string>,
): Pagination {
  const { type, param = '', size, carry = {} } = pagination
  const paged = turnsPages(pagination) && {
    param: site.in('param').param(param, 'pagination.param', declared),
    size: orNull(size, (name) => site.in('size').param(name, 'pagination.size', declared)),
    more: resolveFlag(pagination.more, site.in('more'), 'pagination.more'),
    last: resolveFlag(pagination.last, site.in('last'), 'pagination.last'),
    ...(pagination.silent_end === true && { silentEnd: true as const }),
    carry: Object.entries(carry).map(([name, value]) => {
      const here = site.in('carry', name)
      const moved = here.key.param(name, 'pagination.carry', declared)
      return [moved, here.template(value, 'pagination.carry')] as const
    }),
  }
  const own = styleOf(type).compile(pagination, (key, source) =>
    site.in(key).path(source, `pagination.${key}`),
  )
  // The members of its own style, and those of all that turn pages where it does.
  return {
    type,
    meta: resolvePicks(pagination.meta, site.in('meta'), 'pagination.meta'),
    emptyMeta: resolvePicks(pagination.empty_meta, site.in('empty_meta'), 'pagination.empty_meta'),
    ...paged,
    ...own,
  } as Pagination
}

/** The members of `meta` that the engine writes. */
const ENGINE_META: ReadonlySet<string> = new Set(['has_more', 'next', 'filtered_out'])

function resolvePicks(picks: PicksSource = {}, site: Site, use: string): readonly MetaPick[] {
  const members = resolveMembers(picks, site, use)
  for (const [index, key] of Object.keys(picks).entries()) {
    const name = members[index]?.name ?? ''
    if (!ENGINE_META.has(name)) continue
    const message = `"${name}" in meta is written by the engine`
    site.in(key).key.report('schema/misplaced-key', message, 'choose another name')
  }
  return members
}

function resolveMembers(picks: PicksSource, site: Site, use: string): readonly MetaPick[] {
  const seen = new Set<string>()
  return Object.entries(picks).map(([key, value]) => {
    const here = site.in(key)
    const optional = key.endsWith('?')
    const name = optional ? key.slice(0, -1) : key
    if (seen.has(name)) {
      const message = `"${name}" stands here twice, with and without ?`
      here.key.report('pagination/duplicate-meta', message, 'remove one of the two')
    }
    seen.add(name)
    return { name, optional, value: resolvePick(value, here, use) }
  })
}

function resolvePick(value: PicksSource[string], site: Site, use: string): MetaPick['value'] {
  if (typeof value === 'string' && value.startsWith('$'))
    return { kind: 'path', at: site.path(value, use) }
  return typeof value === 'object' && value !== null
    ? { kind: 'object', members: resolveMembers(value, site, use) }
    : { kind: 'constant', value }
}
