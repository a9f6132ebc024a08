// The entries of the package, as package.json names them.
import packageJson from '../package.json' with { type: 'json' }

/** What an entry is for `import`, and, where Node has no `require` of modules, for `require`. */
type Target =
  string | { readonly 'module-sync': string; readonly require: string; readonly default: string }

const targets: Readonly<Record<string, Target>> = packageJson.exports

/** The file of each entry, by its name in `exports`: `./jira`. */
export const ENTRY_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(targets).map(([entry, target]) => [
    entry,
    typeof target === 'string' ? target : target.default,
  ]),
)

/** The files that stand for entries where Node has no `require` of modules, each with the module that it is for. */
export const REQUIRED_FILES: readonly (readonly [file: string, module: string])[] = Object.values(
  targets,
).flatMap((target) => (typeof target === 'string' ? [] : [[target.require, target.default]]))
