// Completion in the shells themselves: what appears when somebody presses Tab. A shell that is not here is skipped.
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

/** A shell that completes nothing says nothing either. */
const DEADLINE_MS = 20_000

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** What is begun, and the one word that it becomes. */
const LINES = [
  { begun: 'tenon desc', becomes: 'describe' },
  { begun: 'tenon try jira issues.up', becomes: 'issues.update' },
  { begun: 'tenon try --sandbox go', becomes: 'gong' },
  { begun: 'tenon webhooks rotate-secret --ke', becomes: '--keep' },
  { begun: 'tenon sync run 0199f3b', becomes: '0199f3b2-two' },
  { begun: 'tenon search 0199f3a1-one issue_co', becomes: 'issue_comments' },
] as const

/** Stands for the command, which the scripts ask for ids that begin as was typed, and for the entities of one. */
const TENON = `#!/bin/sh
if [ "$*" = "completion --entities=search 0199f3a1-one" ]; then
  printf 'issues\\nissue_comments\\n'
  exit
fi
[ "$*" = "completion --instances --begun=\${3#--begun=}" ] || exit 1
printf '0199f3b2-two\\tjira, bob: his\\n0199f3a1-one\\tgong, ada\\n' | grep "^\${3#--begun=}"
`

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = folderOf({})
  writeFileSync(join(folder, 'tenon'), TENON)
  chmodSync(join(folder, 'tenon'), 0o755)
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, shell), (await tenonHere(['completion', shell])).out)
  env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    PATH: [folder, process.env['PATH']].join(delimiter),
    // Lines are written as they are, not as changes of the screen.
    TERM: 'dumb',
  }
})

function answer(shell: string, args: readonly string[]): string {
  const run = spawnSync(shell, args, { encoding: 'utf8', env, cwd: folder, timeout: DEADLINE_MS })
  expect([run.error, run.stderr]).toEqual([undefined, ''])
  return run.stdout
}

describe.skipIf(!has('fish'))('fish', () => {
  test.for(LINES)('$begun', ({ begun, becomes }) => {
    const script = `source ./fish; complete -C '${begun}'`
    const words = answer('fish', ['--no-config', '-c', script]).trim().split('\n')
    expect(words.map((line) => line.split('\t')[0])).toEqual([becomes])
  })
})

/** What a person sees next to ids, the newest first. */
const MEANINGS = ['0199f3b2-two', 'jira, bob: his', '0199f3a1-one', 'gong, ada'] as const

test.skipIf(!has('fish'))('fish shows connector, user and name of ids', () => {
  const script = "source ./fish; complete -C 'tenon sync run 0199f3'"
  const words = answer('fish', ['--no-config', '-c', script])
    .trim()
    .split(/[\t\n]/)
  expect(words).toEqual(MEANINGS)
})

/** Each in a terminal of its own, which a zsh types into and reads from. */
const TYPED = [
  {
    shell: 'zsh',
    start: 'shell zsh -f -i',
    load: 'autoload -U compinit; compinit -u -d ./dump; source ./zsh',
  },
  { shell: 'bash', start: '-e shell bash --norc --noprofile -i', load: 'source ./bash' },
] as const

test.skipIf(!has('zsh'))('zsh shows connector, user and name of ids', () => {
  const [{ start, load }] = TYPED
  const script = `zmodload zsh/zpty
zpty ${start}
zpty -w shell "PS1= PS2=; ${load}; echo loa''ded"
zpty -r shell seen '*loaded*'
zpty -w -n shell $'tenon sync run 0199f3\\t\\t'
zpty -r shell seen '*gong, ada*'
print -r -- "$seen"
zpty -d shell`
  const seen = answer('zsh', ['-f', '-c', script])
  const places = MEANINGS.map((text) => seen.lastIndexOf(text))
  expect([places.includes(-1), places]).toEqual([false, places.toSorted((a, b) => a - b)])
})

describe.skipIf(!has('zsh') || !has('bash')).for(TYPED)('$shell', ({ start, load }) => {
  test.for(LINES)('$begun', ({ begun, becomes }) => {
    const script = `zmodload zsh/zpty
zpty ${start}
zpty -w shell "PS1= PS2=; ${load}; echo loa''ded"
zpty -r shell seen '*loaded*'
zpty -w -n shell $'${begun}\\t'
zpty -r shell seen '*${becomes} *'
print -r -- "$seen"
zpty -d shell`
    expect(answer('zsh', ['-f', '-c', script])).toContain(`${becomes} `)
  })
})
