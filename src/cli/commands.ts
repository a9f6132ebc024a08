// Every command of the command line: what it does in a few words, and the file that knows more.
import type { CommandEntry, CommandModule } from './command.ts'

type Row = readonly [summary: string, load: () => Promise<CommandModule>]

/** In the order of the help text, which puts them together by what they are about. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'Call a third party': {
    describe: ['show what a connector can do', () => import('./describe.ts')],
    try: ['run one operation and show its answer', () => import('./try.ts')],
    request: [
      'send a request of your own making with the credentials of an account',
      () => import('./request.ts'),
    ],
    sandbox: ['run local vendors made from manifests', () => import('./sandbox.ts')],
    mcp: ['serve connectors as tools of an agent', () => import('./mcp.ts')],
  },
  'Write a connector': {
    init: ['begin a manifest, empty or from an OpenAPI document', () => import('./init.ts')],
    lint: ['check manifests and show what is wrong', () => import('./lint.ts')],
    test: ['run the suite that holds for every manifest', () => import('./test.ts')],
    check: ["compare a manifest with the vendor's own document", () => import('./check.ts')],
    diff: ['compare two versions of a manifest', () => import('./diff.ts')],
    types: ['write TypeScript types of manifests', () => import('./types.ts')],
    compile: ['write manifests as resolved JSON', () => import('./compile.ts')],
    docs: ['write the reference of connectors as Markdown', () => import('./docs.ts')],
  },
  'Look into a service': {
    instances: [
      'list, show, check and delete connector instances of a service',
      () => import('./instances.ts'),
    ],
    search: ['search the synchronized copy of a connector instance', () => import('./search.ts')],
    changes: [
      'show what has changed in the synchronized copy of an entity',
      () => import('./changes.ts'),
    ],
    sync: ['watch and start syncs; bring back what one removed', () => import('./sync.ts')],
    logs: [
      'show operations, syncs and refreshes as they happen, and one with its requests',
      () => import('./logs.ts'),
    ],
    events: [
      'show what happened to instances, and go on with what comes',
      () => import('./events.ts'),
    ],
    users: ['export or erase everything of one end user of a service', () => import('./users.ts')],
    webhooks: [
      'have events delivered; test, rotate secrets, deliver again',
      () => import('./webhooks.ts'),
    ],
    'oauth-clients': [
      'keep OAuth clients of connectors in a running service',
      () => import('./oauth-clients.ts'),
    ],
    manifests: [
      'publish manifests to a running service, and bring earlier versions back',
      () => import('./manifests.ts'),
    ],
  },
  'Run a service': {
    serve: [
      'run the service: connector instances, tokens, OAuth, operations',
      () => import('./serve.ts'),
    ],
    worker: [
      'run the background jobs of a service, without its HTTP API',
      () => import('./worker.ts'),
    ],
    doctor: ['look for what would keep a service from working', () => import('./doctor.ts')],
    apps: ['create, list and change the applications of a service', () => import('./apps.ts')],
    audit: ['show and verify the audit log of a service', () => import('./audit.ts')],
    keys: ['generate, list and rotate the master keys of a service', () => import('./keys.ts')],
    migrate: ['bring the schema of a store up to date', () => import('./migrate.ts')],
    store: ['copy one store to another, and show where its rows lie', () => import('./store.ts')],
    backup: ['write everything a service keeps into one file', () => import('./backup.ts')],
    restore: ['put a backup into an empty store', () => import('./restore.ts')],
  },
  Shell: {
    completion: ['print a completion script for a shell', () => import('./completion.ts')],
  },
}

export const COMMANDS: readonly CommandEntry[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, [summary, load]]) => ({ name, summary, group, load })),
)
