/** The engines of package.json. */
export const PACKAGE: string
/** What the sources of a checkout need. */
export const CHECKOUT: string
/** The sentence for a Node that is too old; null: it is not. `version`: default, the one that runs. */
export function tooOld(needed: string, version?: string | null): string | null
