// Tasks that a user of a host can choose: what they say follows from what the connected accounts can do.
import { CHANGES, gives, LISTINGS } from '../language/manifest/actions.ts'
import { inWords } from '../language/manifest/suggest.ts'
import { actionNames } from './describe-offered.ts'
import type { OfferedClient, OfferedEntity } from './offered-actions.ts'

export interface AgentPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** The request to the model. */
  readonly text: (given: Readonly<Record<string, string>>) => string
}

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
  /** Values for who types one, given those of the other arguments; none: any text. */
  readonly values: (given: Readonly<Record<string, string>>) => readonly string[]
}

/** The prompts for these clients; those of which none of them can do anything are left out. */
export function agentPrompts(offered: readonly OfferedClient[]): readonly AgentPrompt[] {
  const where = (test: (entity: OfferedEntity) => boolean): readonly PromptArgument[] =>
    placeArguments(offered, test)
  const lists = (entity: OfferedEntity): boolean =>
    entity.isSearchable || entity.actions.some(({ action }) => gives(action, 'list'))
  const changes = (entity: OfferedEntity): boolean => entity.actions.some(({ safe }) => !safe)
  const all: readonly (AgentPrompt & { readonly isPossible: boolean })[] = [
    {
      name: 'overview',
      title: 'What is connected',
      description: 'Tells which accounts are connected and what can be done with them.',
      arguments: [],
      isPossible: true,
      text: () =>
        `Connected: ${offered.map(({ name, entities }) => `${name} (${entities.map(({ entity }) => entity.entity).join(', ')})`).join('; ')}. Tell me in a few sentences what you can do with them, and give three examples.`,
    },
    {
      name: 'find',
      title: 'Find records',
      description: 'Finds records by words, in one kind of records of an account.',
      arguments: [...where(lists), text('words', 'what to look for')],
      isPossible: someEntity(offered, lists),
      text: ({ connector = '', entity = '', words = '' }) =>
        `Find ${entity} of ${connector} about: ${words}. Use ${waysOf(offered, connector, entity, lists)}; ask for few fields, look at further pages if you need to, and give each with what identifies it.`,
    },
    {
      name: 'summarize',
      title: 'Summarize the latest records',
      description: 'Summarizes the latest records of one kind.',
      arguments: where(lists),
      isPossible: someEntity(offered, lists),
      text: ({ connector = '', entity = '' }) =>
        `Read the latest ${entity} of ${connector} (by ${waysOf(offered, connector, entity, lists)}) and summarize them: what they are about, what has changed, what needs somebody. Name each by what identifies it.`,
    },
    {
      name: 'change',
      title: 'Change something',
      description: `Prepares a change (${inWords(CHANGES, 'or')}), and makes it once you agree.`,
      arguments: [...where(changes), text('wish', 'what is to be different')],
      isPossible: someEntity(offered, changes),
      text: ({ connector = '', entity = '', wish = '' }) =>
        `In ${entity} of ${connector}: ${wish}. First read what is there and show me exactly what you would change; change it only when I have agreed, and read it again afterwards.`,
    },
  ]
  return all.filter(({ isPossible }) => isPossible)
}

function text(name: string, description: string): PromptArgument {
  return { name, description, required: true, values: () => [] }
}

function placeArguments(
  offered: readonly OfferedClient[],
  test: (entity: OfferedEntity) => boolean,
): readonly PromptArgument[] {
  const namesIn = (connector: string | undefined): readonly string[] =>
    offered
      .filter(({ name }) => connector === undefined || connector === '' || name === connector)
      .flatMap(({ entities }) => entities.filter(test).map(({ entity }) => entity.entity))
  return [
    {
      name: 'connector',
      description: 'the account',
      required: true,
      values: () => offered.filter(({ name }) => namesIn(name).length > 0).map(({ name }) => name),
    },
    {
      name: 'entity',
      description: 'the kind of records',
      required: true,
      values: ({ connector }) => [...new Set(namesIn(connector))],
    },
  ]
}

function someEntity(
  offered: readonly OfferedClient[],
  test: (entity: OfferedEntity) => boolean,
): boolean {
  return offered.some(({ entities }) => entities.some(test))
}

/** The actions that an entity offers for it, in words. */
function waysOf(
  offered: readonly OfferedClient[],
  connector: string,
  entity: string,
  test: (entity: OfferedEntity) => boolean,
): string {
  const found = offered
    .filter(({ name }) => name === connector)
    .flatMap(({ entities }) => entities)
    .find((each) => each.entity.entity === entity && test(each))
  return inWords(found === undefined ? LISTINGS : actionNames(found), 'or')
}
