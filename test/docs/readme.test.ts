// What the README and the guide show is run: programs are compiled and executed, commands are called.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tenonHere } from '../cli/run-here.ts'
import { BIN } from '../cli/run-tenon.ts'
import { type Block, blocksOf } from './blocks.ts'
import { entrySources, withSources } from './with-sources.ts'
import { IS_FULL } from '../fixtures/sizes.ts'

const programsIn = (files: readonly string[]): readonly Block[] =>
  files.flatMap((file) => blocksOf(file)).filter(({ language }) => language === 'ts')
/** A worker is called by its runtime. */
const isWorker = ({ text }: Block): boolean => text.includes("from 'tenon/fetch'")
const written = programsIn([
  'README.md',
  'docs/index.md',
  'docs/mcp.md',
  'docs/events.md',
  'docs/sandbox.md',
  'docs/host-apps.md',
  'docs/search.md',
])
const programs = written.filter((block) => !isWorker(block))
/** What somebody else starts; a plugin of a server is run in service-guides.test.ts. */
const parts = [...written.filter(isWorker), ...programsIn(['docs/operation.md'])]
const root = process.cwd()

describe('programs of the README and of the guide to agents', () => {
  test('there are some', () => expect(programs.length).toBeGreaterThanOrEqual(4))

  test.runIf(IS_FULL)('all compile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-readme-'))
    for (const [index, { text }] of [...programs, ...parts].entries())
      writeFileSync(join(folder, `program-${index}.ts`), `${text}\nexport {}\n`)
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: Object.fromEntries(entrySources.map(([name, path]) => [name, [path]])),
        typeRoots: [join(root, 'node_modules/@types')],
        erasableSyntaxOnly: true,
      },
      include: ['*.ts', join(root, 'src/**/*.d.ts')],
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const { stdout, status } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  /** What each program printed. One process runs them one after the other, and loads everything once. */
  let printed: readonly string[] = []
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-readme-'))
    const sign = '---- the next program'
    for (const [index, { text }] of programs.entries())
      writeFileSync(join(folder, `program-${index}.ts`), withSources(text))
    const imports = programs.map(
      (_, index) => `await import('./program-${index}.ts')\nconsole.log('${sign}')`,
    )
    writeFileSync(join(folder, 'all.ts'), imports.join('\n'))
    const { code, err, out } = await run(process.execPath, [join(folder, 'all.ts')], folder)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    printed = out.split(`${sign}\n`)
  })

  test.for(programs.map((_, index) => ({ index })))('program $index runs', ({ index }) => {
    expect(printed[index]).not.toBe('')
    expect(printed).toHaveLength(programs.length + 1)
  })
})

const manifest = blocksOf('README.md').find(
  ({ language, text }) => language === 'yaml' && text.includes('manifest: 1'),
)

test('the manifest and the commands of the README and of the guide to agents work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-readme-'))
  mkdirSync(join(folder, 'manifests'))
  writeFileSync(join(folder, 'manifests/acme.yaml'), manifest?.text ?? '')
  const commands = ['README.md', 'docs/mcp.md']
    .flatMap((file) => blocksOf(file))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
  expect(commands.length).toBeGreaterThanOrEqual(5)
  for (const command of new Set(commands))
    await succeeds(command.replace('npm run tenon --', 'tenon'), folder)
})

// oxlint-disable-next-line vitest/expect-expect -- `succeeds` asserts
test('the manifest and the commands of the front page work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-front-'))
  const blocks = blocksOf('docs/index.md')
  writeFileSync(
    join(folder, 'acme.yaml'),
    blocks.find(({ language }) => language === 'yaml')?.text ?? '',
  )
  const lines = blocks.flatMap(({ language, text }) =>
    language === 'sh' ? text.trim().split('\n') : [],
  )
  for (const line of lines.filter((each) => each.startsWith('npx tenon ')))
    await succeeds(line.replace('npx tenon', 'tenon'), folder)
})

test('the walk through the service works with curl alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-readme-'))
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('TENON_'))
  const env = {
    ...Object.fromEntries(others),
    TENON_DATA: join(folder, 'data'),
    TENON_PORT: '0',
  }
  const service = spawn(process.execPath, [BIN, 'serve', '--sandbox'], { env })
  try {
    const url = await new Promise<string>((found, failed) => {
      let said = ''
      service.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        const [, address] = /listens on (\S+) /.exec(said) ?? []
        if (address !== undefined) found(address)
      })
      service.once('exit', () => failed(new Error(said)))
    })
    const script = blocksOf('README.md')
      .filter(({ language }) => language === 'bash')
      .map(({ text }) => text)
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('npm run -s tenon --', `'${process.execPath}' '${BIN}'`)
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      // Bash that reads from a socket takes itself for a remote shell, and reads its start files.
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env,
    })
    const said = stdout.replace(url, 'URL').replace(/tenon_ct_\w+/, 'TOKEN')
    expect({ status, stderr, said }).toEqual({
      status: 0,
      stderr: '',
      said: `OPS-1
30
1024
active
gong active
jira active
facebook-marketing active
URL/connect/TOKEN
`,
    })
  } finally {
    service.kill('SIGTERM')
  }
})

describe('the guide of twenty minutes', () => {
  // oxlint-disable-next-line vitest/expect-expect -- `succeeds` asserts
  test('the example of the guide is sound', async () => {
    await succeeds('tenon lint docs/examples/github.yaml', root)
    await succeeds('tenon test docs/examples/github.yaml', root)
  })

  // oxlint-disable-next-line vitest/expect-expect -- `succeeds` asserts
  test('each step works as written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-guide-'))
    mkdirSync(join(folder, 'manifests'))
    cpSync('schemas', join(folder, 'schemas'), { recursive: true })
    const file = join(folder, 'manifests/github.yaml')
    for (const { language, text } of blocksOf('docs/twenty-minutes.md')) {
      if (language === 'sh') {
        for (const command of text.trim().split('\n')) await succeeds(command, folder)
        continue
      }
      const [place = '', ...lines] = text.split('\n')
      const part = lines.join('\n')
      if (place.endsWith('below entities')) writeFileSync(file, readFileSync(file, 'utf8') + part)
      else if (place.endsWith('above entities'))
        writeFileSync(file, readFileSync(file, 'utf8').replace('entities:\n', `${part}entities:\n`))
      else writeFileSync(file, part)
    }
  })
})

async function succeeds(command: string, folder: string): Promise<void> {
  const words = wordsOf(command)
  const { code, err, out } =
    words === null
      ? await run(
          'bash',
          ['-c', command.replace(/^tenon/, `'${process.execPath}' '${BIN}'`)],
          folder,
        )
      : await tenonHere(words, { folder })
  expect({ command, code, ...(code === 0 ? {} : { err, out }) }).toEqual({ command, code: 0 })
}

/** The arguments of a command that needs neither a shell nor, to serve on its streams, a process of its own; else null. */
function wordsOf(command: string): readonly string[] | null {
  const [name, called, ...others] = command.match(/'[^']*'|[^\s']+/g) ?? []
  const isServer = called === 'mcp' && !others.includes('--list')
  if (name !== 'tenon' || called === undefined || isServer) return null
  if (/[$|&;<>"`\\#*?~(]/.test(command.replaceAll(/'[^']*'/g, ''))) return null
  return [called, ...others].map((word) => word.replaceAll("'", ''))
}

async function run(
  program: string,
  args: readonly string[],
  folder = root,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const code = await new Promise<number | null>((ended) => child.once('close', ended))
  return { code, out, err }
}
