// Commands in this process: what they do and say, without the start of a process for each. What a process adds (its
// streams and signals, and that it ends by itself) is looked at with `run-tenon.ts`, for every command at least once.
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { DocsLinks } from '../../src/cli/docs-links.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { BIN, type Run, type tenon } from './run-tenon.ts'

/** Takes what `tenon` takes, and gives what it gives. */
export async function tenonHere(...[args, options = {}]: Parameters<typeof tenon>): Promise<Run> {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const said = Promise.all([text(out), text(err)])
  const env = { ...bareEnvironment, ...options.env }
  const code = await runCommand(
    args,
    {
      terminal: createTerminal(out, err, env),
      env,
      folder: options.folder ?? dirname(BIN),
      signal: new AbortController().signal,
      docs: new DocsLinks(env),
    },
    { serves: false, docs: 'reference/cli' },
  )
  out.end()
  err.end()
  const [outText, errText] = await said
  return { code, out: outText, err: errText }
}
