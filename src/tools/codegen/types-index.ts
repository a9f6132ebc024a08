// The file next to the generated ones that brings them all into a program.
import { layOut } from './layout.ts'
import { memberName, pascalCase } from './type-names.ts'
import { TYPES_FORMAT, UNCHECKED } from './types-header.ts'

/** `index.ts` in the folder of the files of these connector types: one import brings all connectors into the program. */
export function generateIndex(types: readonly string[]): string {
  const sorted = types.toSorted()
  const lines = [
    `// Made by \`tenon types\` (format ${TYPES_FORMAT}). Do not edit.`,
    UNCHECKED,
    ...sorted.map(
      (type) =>
        `import type { ${pascalCase(type)}, ${pascalCase(type)}Settings } from './${type}.ts'`,
    ),
    '',
    ...sorted.map(
      (type) =>
        `export type { ${pascalCase(type)}, ${pascalCase(type)}Credentials, ${pascalCase(type)}Settings } from './${type}.ts'`,
    ),
    '',
    '/** What each of these connectors is connected with. */',
    'export interface ConnectorSettings {',
    ...sorted.map((type) => `${memberName(type)}: ${pascalCase(type)}Settings`),
    '}',
    '',
    '/** What the client of each of these connectors is. */',
    'export interface ConnectorClients {',
    ...sorted.map((type) => `${memberName(type)}: ${pascalCase(type)}`),
    '}',
  ]
  return layOut(lines.join('\n'))
}
