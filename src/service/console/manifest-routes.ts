// /manifests: the workshop for connector authors. Served in development only: a manifest is the operator's, not a caller's.
import { bodyText } from '../body-text.ts'
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { isJsonObject } from '../../json/members.ts'
import { json, type Route } from '../route.ts'
import { closed, open, TEXT } from '../routes/schemas.ts'

/** What can be done with the text of a manifest. */
export interface Workshop {
  /** The text of a served type; null: there is no such type, or its file is not here. */
  textOf(type: string): Promise<string | null>
  /** Findings, what it describes, and what it changes against the served version of its type. */
  check(text: string): JsonObject
  /** TypeScript of a sound manifest. Throws `manifest_invalid`. */
  types(text: string): Promise<string>
  /** The requests of an operation and the local vendor's answer. Throws what the operation throws. */
  run(text: string, operation: WorkshopOperation): Promise<object>
}

export interface WorkshopOperation {
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
}

const MANIFEST = { type: 'string', minLength: 1, maxLength: 900_000 } as const

export function manifestRoutes(workshop: Workshop): readonly Route[] {
  const base = {
    aliases: [],
    prefix: '/v1',
    token: 'application',
    query: null,
    headers: [],
    example: null,
  } as const
  const texts = { optional: false, schema: closed({ text: MANIFEST }, ['text']) }
  return [
    {
      ...base,
      name: 'consoleManifest',
      method: 'GET',
      path: '/manifests/{connector_type}',
      summary: 'The text of a served manifest',
      body: null,
      success: [
        { status: 200, description: 'The text.', schema: open({ text: { type: 'string' } }) },
      ],
      errors: [],
      handle: async ({ path }) => {
        const text = await workshop.textOf(path['connector_type'] ?? '')
        if (text === null)
          throw new ConnectorError('route_unknown', 'the file of this manifest is not here')
        return json(200, { text })
      },
    },
    {
      ...base,
      name: 'consoleManifestCheck',
      method: 'POST',
      path: '/manifests/check',
      summary: 'Lint a manifest, and compare it with the served one',
      body: texts,
      success: [
        {
          status: 200,
          description: 'Findings with their places.',
          schema: open({ problems: { type: 'array' }, connector: { type: ['object', 'null'] } }),
        },
      ],
      errors: [],
      handle: ({ body }) => Promise.resolve(json(200, workshop.check(bodyText(body, 'text')))),
    },
    {
      ...base,
      name: 'consoleManifestTypes',
      method: 'POST',
      path: '/manifests/types',
      summary: 'TypeScript of a manifest',
      body: texts,
      success: [
        { status: 200, description: 'The text.', schema: open({ types: { type: 'string' } }) },
      ],
      errors: [],
      handle: async ({ body }) =>
        json(200, { types: await workshop.types(bodyText(body, 'text')) }),
    },
    {
      ...base,
      name: 'consoleManifestRun',
      method: 'POST',
      path: '/manifests/run',
      summary: 'Run an operation of a manifest against a local vendor made of it',
      body: {
        optional: false,
        schema: closed({ text: MANIFEST, entity: TEXT, action: TEXT, params: { type: 'object' } }, [
          'text',
          'entity',
          'action',
        ]),
      },
      success: [
        {
          status: 200,
          description: 'The requests, secrets masked, and the answer.',
          schema: open({ requests: { type: 'array' }, answer: { type: ['object', 'null'] } }),
        },
      ],
      errors: ['operation_unknown', 'params_invalid'],
      handle: async ({ body }) => {
        const params = body['params']
        return json(
          200,
          await workshop.run(bodyText(body, 'text'), {
            entity: bodyText(body, 'entity'),
            action: bodyText(body, 'action'),
            params: isJsonObject(params) ? params : {},
          }),
        )
      },
    },
  ]
}
