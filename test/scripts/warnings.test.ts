import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { NO_WARNINGS } from '../../scripts/warnings.ts'

const MODULES: Readonly<Record<string, string>> = {
  entry: `import { a } from 'part'; export const b = async () => [a, await import('part')]`,
  part: 'export const a = 1',
}

test('a build with a warning fails', async () => {
  const built = async (): Promise<void> => {
    const bundle = await rolldown({
      input: 'entry',
      plugins: [
        {
          name: 'modules',
          resolveId: (id) => (Object.hasOwn(MODULES, id) ? id : null),
          load: (id) => MODULES[id] ?? null,
        },
      ],
      ...NO_WARNINGS,
    })
    await using _ = bundle
    await bundle.generate()
  }
  await expect(built()).rejects.toThrow('INEFFECTIVE_DYNAMIC_IMPORT')
})
