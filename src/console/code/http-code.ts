// One request to the service as somebody's own code: curl, fetch, Python. All of it reads a token from $TENON_TOKEN.
import { isObject, type Json, writeJson } from '../api/json-text.ts'
import { literalOf, pythonOf, pythonTextOf, quoted, textOf } from './literals.ts'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly takesToken: boolean
  readonly headers: Readonly<Record<string, string>>
  /** null: it has none. */
  readonly body: Json
}

/** For a shell: a token in `$TENON_TOKEN`. */
export function tokenOf(origin: string, clientId: string): string {
  const body = `'{"client_id":"${clientId}","client_secret":"'"$TENON_CLIENT_SECRET"'"}'`
  return [
    `: "\${TENON_CLIENT_SECRET:?export it first: the secret of the application ${clientId}}"`,
    `export TENON_TOKEN=$(curl -sSf ${origin}/api/v1/account/applications/token \\`,
    "  -H 'content-type: application/json' \\",
    `  -d ${body} \\`,
    `  | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
  ].join('\n')
}

/** `file`: where the answer is saved; absent: it is printed. */
export function curlOfRequest(request: SentRequest, file?: string): string {
  const { method, body } = request
  return [
    `curl ${quoted(request.url)}`,
    ...(method === 'GET' || (method === 'POST' && body !== null) ? [] : [`-X ${method}`]),
    ...(request.takesToken ? ['-H "authorization: Bearer $TENON_TOKEN"'] : []),
    ...fieldsOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(writeJson(body))}`]),
    ...(file === undefined ? [] : [`-o ${file}`]),
  ].join(' \\\n  ')
}

export function fetchOfRequest(request: SentRequest): string {
  const { method, url, body } = request
  const headers = [
    ...(request.takesToken ? ["    authorization: `Bearer ${process.env['TENON_TOKEN']}`,"] : []),
    ...fieldsOf(request).map(([name, value]) => `    ${textOf(name)}: ${textOf(value)},`),
  ]
  return [
    `const response = await fetch(${textOf(url)}, {`,
    `  method: ${textOf(method)},`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${valueOf(body, '  ')}),`]),
    '})',
    'console.log(response.status, await response.text())',
    // A module, where the compiler wants to know.
    'export {}',
  ].join('\n')
}

const PRINT = ['print(response.read().decode())']

/** Python 3 alone. `use`: what is done with `response`. */
export function pythonOfRequest(request: SentRequest, use: readonly string[] = PRINT): string {
  const { method, url, takesToken, body } = request
  const headers = [
    ...(takesToken ? ['        "authorization": "Bearer " + os.environ["TENON_TOKEN"],'] : []),
    ...fieldsOf(request).map(
      ([name, value]) => `        ${pythonTextOf(name)}: ${pythonTextOf(value)},`,
    ),
  ]
  return [
    ...(body === null ? [] : ['import json']),
    ...(takesToken ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${pythonTextOf(url)},`,
    `    method=${pythonTextOf(method)},`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === null ? [] : [`    data=json.dumps(${pythonOf(body, '    ')}).encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...use.map((line) => `        ${line}`),
    // It says what is wrong, which the status alone does not.
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
  ].join('\n')
}

/** Header fields but for the token. */
function fieldsOf({ headers, body }: SentRequest): readonly (readonly [string, string])[] {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return body === null ? given : [...given, ['content-type', 'application/json']]
}

/** A body of TypeScript, which is there also where it has no members. */
export function valueOf(body: Json, indent = ''): string {
  return isObject(body) && Object.keys(body).length === 0 ? '{}' : literalOf(body, indent)
}
