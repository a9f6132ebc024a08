// One call as plain Python: the HTTP of the service, nothing to install.
import { gives } from '../../../language/manifest/actions.ts'
import { isObject, type Json, type JsonObject } from '../../api/json-text.ts'
import { textOf as textFieldOf } from '../../form/field-text.ts'
import type { CalledOperation } from './call-code.ts'

/** A token is in the environment, as for all of the code. */
export function pythonOf(call: CalledOperation): string {
  const { entity, action, params } = call
  const body: JsonObject = { entity, action, params }
  return [
    'import json',
    'import os',
    'import urllib.request',
    '',
    `url = ${textOf(`${call.origin}/api/v1/connectors/sources/${call.connectorId}/execute`)}`,
    `call = ${literalOf(body)}`,
    '',
    'request = urllib.request.Request(',
    '    url,',
    '    data=json.dumps(call).encode(),',
    '    headers={',
    '        "authorization": f"Bearer {os.environ[\'TENON_TOKEN\']}",',
    '        "content-type": "application/json",',
    '    },',
    ')',
    'with urllib.request.urlopen(request) as answer:',
    ...useOf(call),
  ].join('\n')
}

function useOf({ action, entity, paged }: CalledOperation): readonly string[] {
  if (gives(action, 'stream'))
    return [
      `    with open(${textOf(entity)}, "wb") as file:`,
      '        while part := answer.read(65536):',
      '            file.write(part)',
    ]
  const member = gives(action, 'hits') ? 'hits' : 'data'
  return [
    ...(paged && member === 'data'
      ? ['    # The first page; meta.next says what leads to the next one.']
      : []),
    `    print(json.dumps(json.load(answer)["${member}"], indent=2))`,
  ]
}

/** JSON strings are strings of Python as well, but for half of a pair of surrogates. */
export function textOf(text: string): string {
  return JSON.stringify(text)
}

export function literalOf(value: Json, indent = ''): string {
  const inner = `${indent}    `
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const parts = value.map((each: Json) => `${inner}${literalOf(each, inner)},\n`)
    return `[\n${parts.join('')}${indent}]`
  }
  if (!isObject(value)) return textFieldOf(value)
  const members = Object.entries(value)
  if (members.length === 0) return '{}'
  const lines = members.map(
    ([name, each]) => `${inner}${textOf(name)}: ${literalOf(each, inner)},\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}
