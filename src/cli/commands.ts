// Every command of the command line: its name, what it does in a few words, and the file that knows more.
import type { CommandEntry } from './command.ts'

/** In the order of the help text. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'begin a manifest, empty or from an OpenAPI document',
    docs: { page: 'twenty-minutes' },
    load: () => import('./init.ts'),
  },
  {
    name: 'lint',
    summary: 'check manifests and show every problem',
    docs: { page: 'twenty-minutes' },
    load: () => import('./lint.ts'),
  },
  {
    name: 'try',
    summary: 'run one operation and show its answer',
    docs: { page: 'twenty-minutes' },
    load: () => import('./try.ts'),
  },
  {
    name: 'test',
    summary: 'run the suite that holds for every manifest',
    docs: { page: 'twenty-minutes' },
    load: () => import('./test.ts'),
  },
  {
    name: 'sandbox',
    summary: 'run local vendors made from manifests',
    docs: { page: 'sandbox' },
    load: () => import('./sandbox.ts'),
  },
  {
    name: 'serve',
    summary: 'run the service: connector instances, tokens, OAuth, operations',
    docs: { page: 'operation' },
    load: () => import('./serve.ts'),
  },
  {
    name: 'doctor',
    summary: 'look for what a service would stumble over',
    docs: { page: 'operation' },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'apps',
    summary: 'create, list and change the applications of a service',
    docs: { page: 'operation' },
    load: () => import('./apps.ts'),
  },
  {
    name: 'worker',
    summary: 'run the background jobs of a service, without its HTTP API',
    docs: { page: 'operation' },
    load: () => import('./worker.ts'),
  },
  {
    name: 'sync',
    summary: 'watch and start syncs; bring back what one removed',
    docs: { page: 'search' },
    load: () => import('./sync.ts'),
  },
  {
    name: 'search',
    summary: 'search the synchronized copy of a connector instance',
    docs: { page: 'search' },
    load: () => import('./search.ts'),
  },
  {
    name: 'instances',
    summary: 'list, show, check and delete connector instances of a service',
    docs: { page: 'operation', anchor: 'health-metrics-logs' },
    load: () => import('./instances.ts'),
  },
  {
    name: 'events',
    summary: 'show what happened to instances, and go on with what comes',
    docs: { page: 'events' },
    load: () => import('./events.ts'),
  },
  {
    name: 'webhooks',
    summary: 'have events delivered; test, rotate secrets, deliver again',
    docs: { page: 'events' },
    load: () => import('./webhooks.ts'),
  },
  {
    name: 'keys',
    summary: 'generate, list and rotate the master keys of a service',
    docs: { page: 'operation', anchor: 'credentials-and-keys' },
    load: () => import('./keys.ts'),
  },
  {
    name: 'migrate',
    summary: 'bring the schema of a store up to date',
    docs: { page: 'operation', anchor: 'upgrades' },
    load: () => import('./migrate.ts'),
  },
  {
    name: 'store',
    summary: 'copy everything from one store to another',
    docs: { page: 'operation', anchor: 'moving-to-postgresql' },
    load: () => import('./store.ts'),
  },
  {
    name: 'backup',
    summary: 'write everything a service keeps into one file',
    docs: { page: 'operation', anchor: 'backups' },
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    summary: 'put a backup into an empty store',
    docs: { page: 'operation', anchor: 'backups' },
    load: () => import('./restore.ts'),
  },
  {
    name: 'audit',
    summary: 'show and verify the audit log of a service',
    docs: { page: 'operation', anchor: 'health-metrics-logs' },
    load: () => import('./audit.ts'),
  },
  {
    name: 'types',
    summary: 'write TypeScript types of manifests',
    docs: { page: 'reference/cli', anchor: 'tenon-types' },
    load: () => import('./types.ts'),
  },
  {
    name: 'diff',
    summary: 'compare two versions of a manifest',
    docs: { page: 'reference/cli', anchor: 'tenon-diff' },
    load: () => import('./diff.ts'),
  },
  {
    name: 'describe',
    summary: 'show what a connector can do',
    docs: { page: 'reference/cli', anchor: 'tenon-describe' },
    load: () => import('./describe.ts'),
  },
  {
    name: 'docs',
    summary: 'write the reference of connectors as Markdown',
    docs: { page: 'reference/cli', anchor: 'tenon-docs' },
    load: () => import('./docs.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve connectors as tools of an agent',
    docs: { page: 'mcp' },
    load: () => import('./mcp.ts'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    docs: { page: 'reference/cli', anchor: 'tenon-completion' },
    load: () => import('./completion.ts'),
  },
  {
    name: 'compile',
    summary: 'write manifests as resolved JSON',
    docs: { page: 'reference/cli', anchor: 'tenon-compile' },
    load: () => import('./compile.ts'),
  },
]
