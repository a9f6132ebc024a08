// Every command of the command line: what it does in a few words, where more is said, and the file that knows more.
import type { CommandEntry, CommandModule } from './command.ts'
import type { DocsPage } from './docs-links.ts'

type Row = readonly [
  summary: string,
  docs: DocsPage | `${DocsPage}#${string}`,
  load: () => Promise<CommandModule>,
]

/** In the order of the help text. */
const ROWS: Readonly<Record<string, Row>> = {
  init: [
    'begin a manifest, empty or from an OpenAPI document',
    'twenty-minutes',
    () => import('./init.ts'),
  ],
  lint: ['check manifests and show every problem', 'twenty-minutes', () => import('./lint.ts')],
  try: ['run one operation and show its answer', 'twenty-minutes', () => import('./try.ts')],
  test: [
    'run the suite that holds for every manifest',
    'twenty-minutes',
    () => import('./test.ts'),
  ],
  sandbox: ['run local vendors made from manifests', 'sandbox', () => import('./sandbox.ts')],
  serve: [
    'run the service: connector instances, tokens, OAuth, operations',
    'operation',
    () => import('./serve.ts'),
  ],
  doctor: [
    'look for what would keep a service from working',
    'operation',
    () => import('./doctor.ts'),
  ],
  apps: [
    'create, list and change the applications of a service',
    'operation',
    () => import('./apps.ts'),
  ],
  worker: [
    'run the background jobs of a service, without its HTTP API',
    'operation',
    () => import('./worker.ts'),
  ],
  sync: ['watch and start syncs; bring back what one removed', 'search', () => import('./sync.ts')],
  search: [
    'search the synchronized copy of a connector instance',
    'search',
    () => import('./search.ts'),
  ],
  instances: [
    'list, show, check and delete connector instances of a service',
    'operation#health-metrics-logs',
    () => import('./instances.ts'),
  ],
  events: [
    'show what happened to instances, and go on with what comes',
    'events',
    () => import('./events.ts'),
  ],
  webhooks: [
    'have events delivered; test, rotate secrets, deliver again',
    'events',
    () => import('./webhooks.ts'),
  ],
  keys: [
    'generate, list and rotate the master keys of a service',
    'operation#credentials-and-keys',
    () => import('./keys.ts'),
  ],
  migrate: [
    'bring the schema of a store up to date',
    'operation#upgrades',
    () => import('./migrate.ts'),
  ],
  store: [
    'copy everything from one store to another',
    'operation#moving-to-postgresql',
    () => import('./store.ts'),
  ],
  backup: [
    'write everything a service keeps into one file',
    'operation#backups',
    () => import('./backup.ts'),
  ],
  restore: ['put a backup into an empty store', 'operation#backups', () => import('./restore.ts')],
  audit: [
    'show and verify the audit log of a service',
    'operation#health-metrics-logs',
    () => import('./audit.ts'),
  ],
  types: [
    'write TypeScript types of manifests',
    'reference/cli#tenon-types',
    () => import('./types.ts'),
  ],
  diff: [
    'compare two versions of a manifest',
    'reference/cli#tenon-diff',
    () => import('./diff.ts'),
  ],
  describe: [
    'show what a connector can do',
    'reference/cli#tenon-describe',
    () => import('./describe.ts'),
  ],
  docs: [
    'write the reference of connectors as Markdown',
    'reference/cli#tenon-docs',
    () => import('./docs.ts'),
  ],
  mcp: ['serve connectors as tools of an agent', 'mcp', () => import('./mcp.ts')],
  completion: [
    'print a completion script for a shell',
    'reference/cli#tenon-completion',
    () => import('./completion.ts'),
  ],
  compile: [
    'write manifests as resolved JSON',
    'reference/cli#tenon-compile',
    () => import('./compile.ts'),
  ],
}

export const COMMANDS: readonly CommandEntry[] = Object.entries(ROWS).map(
  ([name, [summary, place, load]]) => {
    // The type of the rows says so.
    const [page, anchor] = place.split('#') as [DocsPage, string?]
    return { name, summary, docs: { page, ...(anchor === undefined ? {} : { anchor }) }, load }
  },
)
