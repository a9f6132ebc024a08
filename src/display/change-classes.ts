// What a difference between two versions of a manifest is called, by the step of the version that it asks for in the docs.

/** A request that goes elsewhere is no matter of looks: it has the same interface, which asks for a patch. */
export const CHANGE_WORDS = {
  breaking: 'breaking',
  additive: 'additive',
  cosmetic: 'patch',
} as const
