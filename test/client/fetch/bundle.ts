// The client on fetch as a page has it: one script, bundled for browsers.
import { join } from 'node:path'
import { build, type BuildResult } from 'esbuild'

const ENTRY = join(import.meta.dirname, '../../../src/client/fetch/index.ts')
/** What only Node has. Where a program asks for one, its name is in the bundle. */
const OF_NODE = ['process', 'Buffer', 'require', 'module', 'global', '__dirname', '__filename']

export interface BrowserBundle {
  /** Defines `tenon`. */
  readonly code: string
  /** What of Node it asks for. */
  readonly ofNode: readonly string[]
  readonly modules: readonly string[]
}

/** Rejects where a module of Node is reachable. */
export async function bundleForBrowsers(): Promise<BrowserBundle> {
  const { outputFiles, metafile }: BuildResult<{ write: false; metafile: true }> = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'tenon',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
    define: Object.fromEntries(OF_NODE.map((name) => [name, `ofNode.${name}`])),
  })
  const code = outputFiles.map(({ text }) => text).join('\n')
  return {
    code,
    ofNode: [...code.matchAll(/\bofNode\.(\w+)/g)].map(([, name = '']) => name),
    modules: Object.keys(metafile.inputs),
  }
}
