// `tenon completion`: scripts that complete commands, flags, connectors, operations and instances in a shell.
import { Command } from 'commander'
import { didYouMean } from '../language/manifest/suggest.ts'
import { TYPE_PATTERN } from '../tools/authoring/manifest-template.ts'
import { plainLine } from '../display/plain-text.ts'
import { type CommandContext, type Configure, leaf } from './command.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { type KnownInstance, knownInstances } from './instance-ids.ts'
import { findManifest, packagedTypes } from './manifest-files.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export const examples: readonly string[] = [
  'source <(tenon completion bash)',
  'source <(tenon completion zsh)',
  'tenon completion fish | source',
]

export const notes = `Ids of instances are those of the service that TENON_URL names, where the environment has credentials for it, else those of
the store in the data folder: the newest 200 that begin as was typed. They are asked for when Tab is pressed, for 1.5
seconds at most, and zsh and fish show connector, user and name of each. Behind an id the entities are those of its
connector, and those of all connectors where nobody says in that time which it is.`

export const configure: Configure = leaf({
  arguments: { '[shell]': SHELLS.join(', ') },
  options: {
    '--instances': 'print the ids of instances, as the scripts ask for them, the newest first',
    '--begun <text>': 'with --instances: those that begin so',
    '--entities <words>':
      'print the entities that can be searched, of the instance whose id is among the words, else of all connectors',
  },
  async run({ shell = '', instances, begun = '', entities }, context) {
    if (entities !== undefined) {
      for (const name of await entitiesFor(entities, context))
        context.terminal.out.write(`${name}\n`)
      return EXIT.done
    }
    if (instances === true) {
      for (const { id, ...facts } of await knownInstances(begun, context))
        context.terminal.out.write(`${id}\t${meaningOf(facts)}\n`)
      return EXIT.done
    }
    if (shell === '') throw new UsageError(`name a shell: ${SHELLS.join(', ')}`)
    const known = SHELLS.find((name) => name === shell)
    if (known === undefined)
      throw new UsageError(
        `there is no script for "${shell}"${didYouMean(shell, SHELLS)}; there is ${SHELLS.join(', ')}`,
      )
    context.terminal.out.write(SCRIPTS[known](await vocabularyOf(context)))
    return EXIT.done
  },
})

function meaningOf({ connectorType, externalUserId, name }: Omit<KnownInstance, 'id'>): string {
  // Names of people's making: one line, no control characters.
  return plainLine(`${connectorType}, ${externalUserId}, ${name}`)
}

const ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i

/** Those of the connector of the account that is named in words; of all where its connector is not known. */
async function entitiesFor(words: string, context: CommandContext): Promise<readonly string[]> {
  const [id] = ID.exec(words) ?? []
  const [instance] = id === undefined ? [] : await knownInstances(id, context)
  const type = instance?.connectorType
  const own = type === undefined ? null : await findManifest(type, context.folder).catch(() => null)
  if (own === null) return Object.keys((await connectorsOf(context.folder)).searched)
  return own.manifest.entities.flatMap(({ name, search }) => (search === null ? [] : [name]))
}

/** Words that can be written, each with its meaning; or ids of instances and entities of one, which the shell asks for. */
type Words = Readonly<Record<string, string>> | typeof INSTANCES | typeof ENTITIES
const INSTANCES = 'instances'
const ENTITIES = 'entities'

/**
 * By the words before without their flags, of which `*` stands for any, and `-` where a flag is begun: the first that
 * fits counts.
 */
type Vocabulary = Readonly<Record<string, Words>>

/** Commands whose first argument is a connector. */
const TAKES_TYPE: readonly string[] = ['try', 'sandbox', 'describe', 'docs', 'test', 'mcp']

/** What can be written: told by the commands themselves and by the manifests. */
async function vocabularyOf(context: CommandContext): Promise<Vocabulary> {
  const { types, operations } = await connectorsOf(context.folder)
  const flags: Record<string, Words> = {}
  const operands: Record<string, Words> = {
    '': Object.fromEntries(COMMANDS.map(({ name, summary }) => [name, summary])),
    'search * *': {},
    'search *': ENTITIES,
    'changes * *': {},
    'changes *': ENTITIES,
  }
  for (const { name, load } of COMMANDS) {
    const command = new Command(name)
    ;(await load()).configure(command, context, () => {})
    const { commands, registeredArguments: given } = command
    for (const sub of commands) {
      flags[`${name} ${sub.name()} *-`] = flagsOf(sub)
      if (!takesInstance(name, sub)) continue
      operands[`${name} ${sub.name()}`] = INSTANCES
      const [, entity] = sub.registeredArguments
      if (entity === undefined || !/^entit(?:y|ies)$/.test(entity.name())) continue
      if (!entity.variadic) operands[`${name} ${sub.name()} * *`] = {}
      operands[`${name} ${sub.name()} *`] = ENTITIES
    }
    if (takesInstance(name, command)) operands[name] = INSTANCES
    flags[`${name} *-`] = flagsOf(command)
    if (commands.length > 0)
      operands[name] = Object.fromEntries(commands.map((sub) => [sub.name(), sub.description()]))
    if (!TAKES_TYPE.includes(name)) continue
    operands[name] = types
    if (given[0]?.variadic === true) operands[`${name} *`] = types
    if (given[1]?.name() === 'operation')
      for (const [type, words] of operations) operands[`${name} ${type}`] = words
  }
  return { ...flags, ...operands }
}

/** Whether the first thing that it takes is an instance. */
function takesInstance(name: string, { registeredArguments: [first] }: Command): boolean {
  return first?.name() === 'instance' || (name === 'instances' && first?.name() === 'id')
}

function flagsOf({ options }: Command): Words {
  const own = options.map(({ long, description }) => [long ?? '', description])
  return { ...Object.fromEntries(own), '--help': 'print this help' }
}

/** Types and operations, and the entities of all types that can be searched. A faulty manifest has none. */
async function connectorsOf(folder: string) {
  const types: Record<string, string> = {}
  const searched: Record<string, string> = {}
  const operations = new Map<string, Words>()
  for (const type of await packagedTypes(folder)) {
    // The name of any file in the folder; a shell reads it.
    if (!TYPE_PATTERN.test(type)) continue
    const found = await findManifest(type, folder).catch(() => null)
    types[type] = found?.manifest.title ?? ''
    const own: Record<string, string> = {}
    for (const { name, actions, search } of found?.manifest.entities ?? []) {
      for (const action of actions) own[`${name}.${action.name}`] = action.summary ?? ''
      if (search !== null) searched[name] = ''
    }
    operations.set(type, own)
  }
  return { types, operations, searched }
}

/** Options whose value is an instance. */
const INSTANCE_FLAGS: readonly string[] = ['--connector-id', '--instance']

const SCRIPTS: Readonly<Record<Shell, (vocabulary: Vocabulary) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function bashScript(vocabulary: Vocabulary): string {
  const cases = Object.entries(vocabulary).map(([before, words]) => {
    const list =
      words === INSTANCES
        ? '$(_tenon_instances "$current")'
        : words === ENTITIES
          ? '$(_tenon_entities "$before")'
          : Object.keys(words).join(' ')
    return `    ${patternOf(before)}) words="${list}" ;;`
  })
  return `_tenon_instances() {
  tenon completion --instances --begun="$1" 2>/dev/null | cut -f 1
}
_tenon_entities() {
  tenon completion --entities="$1" 2>/dev/null
}
_tenon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="" words="" word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    [[ "$word" == -* ]] || before="$before\${before:+ }$word"
  done
  [[ "$current" != -* ]] || before="$before -"
  if [[ " ${INSTANCE_FLAGS.join(' ')} " == *" \${COMP_WORDS[COMP_CWORD-1]} "* ]]; then
    words="$(_tenon_instances "$current")"
  else case "$before" in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tenon tenon
`
}

/** As bash and zsh match it. */
function patternOf(before: string): string {
  return before === '' ? "''" : before.replaceAll(' ', String.raw`\ `)
}

/** Each candidate with its meaning, as `_describe` takes them: `word:meaning`. It may be sourced, and lie among the functions of zsh. */
function zshScript(vocabulary: Vocabulary): string {
  const quote = (text: string): string =>
    `'${text.replaceAll(/\s+/g, ' ').replaceAll("'", String.raw`'\''`)}'`
  const cases = Object.entries(vocabulary).map(([before, words]) => {
    const pattern = patternOf(before)
    if (words === INSTANCES) return `    ${pattern}) _tenon_instances; return ;;`
    if (words === ENTITIES)
      return `    ${pattern}) candidates=("\${(@f)$(tenon completion --entities="$before" 2>/dev/null)}") ;;`
    const list = Object.entries(words).map(([word, meaning]) =>
      quote(meaning === '' ? word : `${word}:${meaning}`),
    )
    return `    ${pattern}) candidates=(${list.join(' ')}) ;;`
  })
  return `#compdef tenon
_tenon_instances() {
  local line
  local -a candidates
  for line in "\${(@f)$(tenon completion --instances --begun="$PREFIX" 2>/dev/null)}"; do
    [[ -z "$line" ]] || candidates+=("\${line%%$'\\t'*}:\${line#*$'\\t'}")
  done
  # The newest stays first.
  _describe -V 'accounts' candidates
}
_tenon() {
  local before="" word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] || before="$before\${before:+ }$word"
  done
  [[ "$PREFIX" != -* ]] || before="$before -"
  if [[ " ${INSTANCE_FLAGS.join(' ')} " == *" \${words[CURRENT-1]} "* ]]; then
    _tenon_instances
    return
  fi
  case "$before" in
${cases.join('\n')}
  esac
  if ((\${#candidates})); then _describe 'tenon' candidates; else _files; fi
}
if [[ "$funcstack[1]" == _tenon ]]; then _tenon "$@"; else compdef _tenon tenon; fi
`
}

function fishScript(vocabulary: Vocabulary): string {
  // Each line that the function prints is a candidate.
  const quote = (text: string): string =>
    `'${text.replaceAll(/\s+/g, ' ').replaceAll(/[\\']/g, String.raw`\$&`)}'`
  const cases = Object.entries(vocabulary).flatMap(([before, words]) => [
    `    case ${quote(before)}`,
    ...(words === INSTANCES
      ? ['      __tenon_instances']
      : words === ENTITIES
        ? ['      tenon completion --entities="$before" 2>/dev/null']
        : Object.entries(words).map(
            ([word, meaning]) => String.raw`      echo ${quote(word)}\t${quote(meaning)}`,
          )),
  ])
  return `function __tenon_instances
  tenon completion --instances --begun=(commandline -ct) 2>/dev/null
end
function __tenon_words
  set -l before (string match -v -- '-*' (commandline -opc)[2..])
  string match -q -- '-*' (commandline -ct); and set -a before -
  if contains -- (commandline -opc)[-1] ${INSTANCE_FLAGS.join(' ')}
    __tenon_instances
    return
  end
  switch "$before"
${cases.join('\n')}
  end
end
complete -c tenon -f -k -a '(__tenon_words)'
`
}
