// Pagination: which parameter moves, where the next value lies, what goes into meta.
import type { Json } from '../json/json.ts'
import type { MetaPick, Pagination } from './manifest.ts'
import type { BlockSite } from './resolve-answer.ts'
import { resolveFlag, usesBelow } from './resolve-answer.ts'
import { styleOf, turnsPages } from './pagination-styles.ts'
import { below, resolveTemplate } from './resolve-template.ts'
import type { Resolver, UseSite } from './resolver.ts'
import type { PaginationSource, PicksSource } from './source.ts'

/** Resolves a pagination for one action. `declared`: the names of its parameters. */
export function resolvePagination(
  pagination: PaginationSource,
  site: BlockSite,
  resolver: Resolver,
  declared: ReadonlySet<string>,
): Pagination {
  const uses = usesBelow(site, 'pagination')
  const picks = {
    meta: resolvePicks(pagination.meta, uses('meta'), resolver),
    emptyMeta: resolvePicks(pagination.empty_meta, uses('empty_meta'), resolver),
  }
  const paged = turnsPages(pagination) && {
    param: resolver.param(pagination.param ?? '', uses('param'), declared),
    size:
      pagination.size === undefined
        ? null
        : resolver.param(pagination.size, uses('size'), declared),
    more: resolveFlag(pagination.more, uses('more'), resolver),
    last: resolveFlag(pagination.last, uses('last'), resolver),
    ...(pagination.silent_end === true && { silentEnd: true as const }),
    carry: Object.entries(pagination.carry ?? {}).map(([name, value]) => {
      const here = below(uses('carry'), name)
      const param = resolver.param(name, { ...here, part: 'key' }, declared)
      const place = { at: here.at, owner: here.owner, place: 'pagination.carry' } as const
      return [param, resolveTemplate(value, place, resolver)] as const
    }),
  }
  const own = styleOf(pagination.type).compile(pagination, (key, source) =>
    resolver.path(source, uses(key)),
  )
  // The members of its own style, and those of all that turn pages where it does.
  return { type: pagination.type, ...picks, ...paged, ...own } as Pagination
}

/** The members of `meta` that the engine writes. */
const ENGINE_META: ReadonlySet<string> = new Set(['has_more', 'next', 'filtered_out'])

function resolvePicks(
  picks: PicksSource | undefined,
  site: UseSite,
  resolver: Resolver,
): readonly MetaPick[] {
  const members = resolveMembers(picks ?? {}, site, resolver)
  for (const [index, key] of Object.keys(picks ?? {}).entries()) {
    const name = members[index]?.name ?? ''
    if (!ENGINE_META.has(name)) continue
    const here = { ...below(site, key), part: 'key' } as const
    const message = `"${name}" in meta is written by the engine`
    resolver.report(here, 'schema/misplaced-key', message, 'choose another name')
  }
  return members
}

function resolveMembers(
  picks: PicksSource,
  site: UseSite,
  resolver: Resolver,
): readonly MetaPick[] {
  const seen = new Set<string>()
  return Object.entries(picks).map(([key, value]) => {
    const here = below(site, key)
    const optional = key.endsWith('?')
    const name = optional ? key.slice(0, -1) : key
    if (seen.has(name)) {
      const message = `"${name}" stands here twice, with and without ?`
      resolver.report(
        { ...here, part: 'key' },
        'pagination/duplicate-meta',
        message,
        'remove one of the two',
      )
    }
    seen.add(name)
    return { name, optional, value: resolvePick(value, here, resolver) }
  })
}

function resolvePick(
  value: PicksSource[string],
  site: UseSite,
  resolver: Resolver,
): MetaPick['value'] {
  if (typeof value === 'string' && value.startsWith('$')) {
    return { kind: 'path', at: resolver.path(value, site) }
  }
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', members: resolveMembers(value, site, resolver) }
  }
  return { kind: 'constant', value: value as Json } // a scalar
}
