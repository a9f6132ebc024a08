// `tenon completion`: scripts that complete commands, flags, connectors and operations in a shell.
import { Command } from 'commander'
import { loadManifestFile } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { type CommandContext, type Configure, leaf } from './command.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { findManifest, packagedTypes } from './manifest-files.ts'
import { didYouMean } from '../language/manifest/suggest.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export const examples: readonly string[] = [
  'source <(tenon completion bash)',
  'source <(tenon completion zsh)',
  'tenon completion fish | source',
]

export const configure: Configure = leaf({
  arguments: { '<shell>': SHELLS.join(', ') },
  async run({ shell }, context) {
    const known = SHELLS.find((name) => name === shell)
    if (known === undefined)
      throw new UsageError(
        `there is no script for "${shell}"${didYouMean(shell, SHELLS)}; there is ${SHELLS.join(', ')}`,
      )
    context.terminal.out.write(SCRIPTS[known](await vocabularyOf(context)))
    return EXIT.done
  },
})

interface Vocabulary {
  readonly commands: readonly KnownCommand[]
  readonly types: readonly string[]
  readonly operations: ReadonlyMap<string, readonly string[]>
  /** Entities of all types that can be searched. */
  readonly searched: readonly string[]
}

interface KnownCommand {
  readonly name: string
  readonly summary: string
  readonly flags: readonly string[]
  readonly subcommands: readonly KnownCommand[]
}

/** What can be written: told by the commands themselves and by the manifests. */
async function vocabularyOf(context: CommandContext): Promise<Vocabulary> {
  const commands: KnownCommand[] = []
  for (const { name, summary, load } of COMMANDS) {
    const command = new Command(name).description(summary)
    ;(await load()).configure(command, context, () => {})
    commands.push(known(command))
  }
  const types = await packagedTypes(context.folder)
  const operations = new Map<string, readonly string[]>()
  const searched = new Set<string>()
  for (const type of types) {
    const entities = await entitiesOf(type, context.folder)
    operations.set(
      type,
      entities.flatMap(({ name, actions }) => actions.map((action) => `${name}.${action.name}`)),
    )
    for (const { name, search } of entities) if (search !== null) searched.add(name)
  }
  return { commands, types, operations, searched: [...searched] }
}

function known(command: Command): KnownCommand {
  const flags = command.options.flatMap(({ long }) => (long == null ? [] : [long]))
  return {
    name: command.name(),
    summary: command.description(),
    flags: [...flags, '--help'],
    subcommands: command.commands.map(known),
  }
}

/** A faulty manifest has nothing to offer; `tenon lint` says why. */
async function entitiesOf(type: string, folder: string): Promise<Manifest['entities']> {
  const { manifest } = await findManifest(type, folder).catch(async () => ({
    manifest: (await loadManifestFile(type).catch(() => null))?.manifest ?? null,
  }))
  return manifest?.entities ?? []
}

/** Commands whose first argument is a connector. */
const TAKES_TYPE: ReadonlySet<string> = new Set([
  'try',
  'sandbox',
  'describe',
  'docs',
  'test',
  'mcp',
])
/** Commands whose second argument is an operation. */
const TAKES_OPERATION: ReadonlySet<string> = new Set(['try', 'describe'])

const SCRIPTS: Readonly<Record<Shell, (vocabulary: Vocabulary) => string>> = {
  bash: bashScript,
  // zsh runs completions of bash.
  zsh: (vocabulary) =>
    `#compdef tenon\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(vocabulary)}`,
  fish: fishScript,
}

function bashScript({ commands, types, operations, searched }: Vocabulary): string {
  const words = (list: readonly string[]): string => list.join(' ')
  const flagCases = commands.flatMap(({ name, flags, subcommands }) => [
    ...subcommands.map((sub) => `    "${name} ${sub.name}") flags="${words(sub.flags)}" ;;`),
    `    "${name} "*) flags="${words(flags)}" ;;`,
  ])
  const subcommandCases = commands
    .filter(({ subcommands }) => subcommands.length > 0)
    .map(
      ({ name, subcommands }) =>
        `      ${name}) words="${words(subcommands.map((sub) => sub.name))}" ;;`,
    )
  const operationCases = [...operations].map(
    ([type, list]) => `      ${type}) words="${words(list)}" ;;`,
  )
  return `_tenon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" flags="" words=""
  case "$command \${COMP_WORDS[2]}" in
${flagCases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${words(commands.map(({ name }) => name))}"
  elif [[ "$current" == -* ]]; then
    words="$flags"
  elif [ "$COMP_CWORD" -eq 2 ] && [[ " ${words([...TAKES_TYPE])} " == *" $command "* ]]; then
    words="${words(types)}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "$command" in
${subcommandCases.join('\n')}
    esac
  elif [ "$COMP_CWORD" -eq 3 ] && [[ " ${words([...TAKES_OPERATION])} " == *" $command "* ]]; then
    case "\${COMP_WORDS[2]}" in
${operationCases.join('\n')}
    esac
  elif [ "$COMP_CWORD" -eq 3 ] && [ "$command" = search ]; then
    words="${words(searched)}"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tenon tenon
`
}

function fishScript({ commands, types, operations, searched }: Vocabulary): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`\'`)}'`
  return [
    'complete -c tenon -f',
    ...commands.map(
      ({ name, summary }) =>
        `complete -c tenon -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap(({ name, flags, subcommands }) => [
      ...flags.map(
        (flag) => `complete -c tenon -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`,
      ),
      ...subcommands.flatMap((sub) => [
        `complete -c tenon -n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${subcommands.map((each) => each.name).join(' ')}' -a ${sub.name} -d ${quote(sub.summary)}`,
        ...sub.flags.map(
          (flag) =>
            `complete -c tenon -n '__fish_seen_subcommand_from ${name}; and __fish_seen_subcommand_from ${sub.name}' -l ${flag.slice(2)}`,
        ),
      ]),
    ]),
    `complete -c tenon -n '__fish_seen_subcommand_from ${[...TAKES_TYPE].join(' ')}' -a ${quote(types.join(' '))}`,
    ...[...operations].map(
      ([type, list]) =>
        `complete -c tenon -n '__fish_seen_subcommand_from ${[...TAKES_OPERATION].join(' ')}; and __fish_seen_subcommand_from ${type}' -a ${quote(list.join(' '))}`,
    ),
    `complete -c tenon -n '__fish_seen_subcommand_from search' -a ${quote(searched.join(' '))}`,
    '',
  ].join('\n')
}
