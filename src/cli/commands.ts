// Every command of the command line: its name, what it does in a few words, and the file that knows more.
import type { CommandEntry } from './command.ts'

/** In the order of the help text. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'begin a manifest, empty or from an OpenAPI document',
    load: () => import('./init.ts'),
  },
  {
    name: 'lint',
    summary: 'check manifests and show every problem',
    load: () => import('./lint.ts'),
  },
  { name: 'try', summary: 'run one operation and show its answer', load: () => import('./try.ts') },
  {
    name: 'test',
    summary: 'run the suite that holds for every manifest',
    load: () => import('./test.ts'),
  },
  {
    name: 'sandbox',
    summary: 'run local vendors made from manifests',
    load: () => import('./sandbox.ts'),
  },
  {
    name: 'serve',
    summary: 'run the service: connector instances, tokens, OAuth, operations',
    load: () => import('./serve.ts'),
  },
  {
    name: 'doctor',
    summary: 'look for what a service would stumble over',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'apps',
    summary: 'create, list and change the applications of a service',
    load: () => import('./apps.ts'),
  },
  {
    name: 'worker',
    summary: 'run the background jobs of a service, without its HTTP API',
    load: () => import('./worker.ts'),
  },
  {
    name: 'sync',
    summary: 'watch and start syncs; bring back what one removed',
    load: () => import('./sync.ts'),
  },
  {
    name: 'search',
    summary: 'search the synchronized copy of a connector instance',
    load: () => import('./search.ts'),
  },
  {
    name: 'instances',
    summary: 'list, show, check and delete connector instances of a service',
    load: () => import('./instances.ts'),
  },
  {
    name: 'events',
    summary: 'show what happened to instances, and go on with what comes',
    load: () => import('./events.ts'),
  },
  {
    name: 'webhooks',
    summary: 'have events delivered; test, rotate secrets, deliver again',
    load: () => import('./webhooks.ts'),
  },
  {
    name: 'keys',
    summary: 'generate, list and rotate the master keys of a service',
    load: () => import('./keys.ts'),
  },
  {
    name: 'migrate',
    summary: 'bring the schema of a store up to date',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'store',
    summary: 'copy everything from one store to another',
    load: () => import('./store.ts'),
  },
  {
    name: 'backup',
    summary: 'write everything a service keeps into one file',
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    summary: 'put a backup into an empty store',
    load: () => import('./restore.ts'),
  },
  {
    name: 'audit',
    summary: 'show and verify the audit log of a service',
    load: () => import('./audit.ts'),
  },
  {
    name: 'types',
    summary: 'write TypeScript types of manifests',
    load: () => import('./types.ts'),
  },
  {
    name: 'diff',
    summary: 'compare two versions of a manifest',
    load: () => import('./diff.ts'),
  },
  {
    name: 'describe',
    summary: 'show what a connector can do',
    load: () => import('./describe.ts'),
  },
  {
    name: 'docs',
    summary: 'write the reference of connectors as Markdown',
    load: () => import('./docs.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve connectors as tools of an agent',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    load: () => import('./completion.ts'),
  },
  {
    name: 'compile',
    summary: 'write manifests as resolved JSON',
    load: () => import('./compile.ts'),
  },
]
