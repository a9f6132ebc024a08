// Everything in a manifest that a caller's input is checked against, by a name that can be a file name.
import type { JsonSchema, Manifest } from './manifest.ts'

/** One checked input: `config`, `credentials.api_token`, `params.issues.get`. */
export interface NamedInput {
  readonly name: string
  readonly schema: JsonSchema
}

/** All inputs of a manifest. */
export function inputsOf(manifest: Manifest): readonly NamedInput[] {
  return [
    { name: 'config', schema: manifest.config.schema },
    ...manifest.auth.map(({ name, credentials }) => ({
      name: `credentials.${name}`,
      schema: credentials.schema,
    })),
    ...manifest.entities.flatMap(({ name, actions }) =>
      actions.map((action) => ({
        name: `params.${name}.${action.name}`,
        schema: action.params.schema,
      })),
    ),
  ]
}
