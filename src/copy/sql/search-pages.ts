// One page of hits, as steps: which statements are asked, what is tested, where the page ends. The same for both stores.
import { pushNegation } from '../search/filter.ts'
import { compileScore } from '../search/matcher.ts'
import { narrow } from './filter-sql.ts'
import { fewest } from './index-choice.ts'
import { newestPage } from './newest-pages.ts'
import { Page, type PageResult, type PageTask, withoutWords } from './page.ts'
import { rankTiers } from './rank-tiers.ts'
import { rankedPage, tieredPage } from './scored-pages.ts'
import { sortedPage } from './sorted-pages.ts'
import type { SqlSteps } from './sql.ts'

/** Records with common words are not gone through where another condition leaves no more than so many. */
const FEW_WORDED = 100

/** Finds one page. Throws `search_timeout`. */
export function* findPage(task: PageTask): SqlSteps<PageResult> {
  const { query, position, dialect, scope } = task
  const found = yield* narrow(pushNegation(query.filter), task)
  // Other indexes lead to less than words that only help.
  const narrowed = found.hinted && found.leads.length > 0 ? withoutWords(found) : found
  const score = compileScore(scope.layout, query.filter)
  // So few records that the words are looked for in them.
  const few =
    narrowed.words === null
      ? null
      : yield* fewest({ dialect, scope, leads: narrowed.leads }, FEW_WORDED)
  const page = new Page(task, few === null ? narrowed : withoutWords(narrowed), score)
  if (query.sort.length > 0) return yield* sortedPage(page)
  if (score === null || position?.mode === 'seq') return yield* newestPage(page, 'seq')
  if (few !== null) return yield* rankedPage(page, score)
  const ranks = yield* rankTiers(query.filter, task)
  if (ranks?.areBounds === false) return yield* tieredPage(page, ranks.tiers)
  return yield* rankedPage(page, score, ranks?.tiers)
}
