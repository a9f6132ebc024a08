// A small vendor: its document in three notations, and a manifest that agrees with it.
import type { Json } from '../../../../src/language/json/json.ts'
import { loadManifest, requireManifest } from '../../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../../src/language/manifest/manifest.ts'

export const MANIFEST = `manifest: 1
connector: { type: notes, title: Notes, version: 1.0.0 }
server: { url: https://api.notes.example/v1 }
auth:
  oauth:
    credentials: { required: [access_token], properties: { access_token: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.access_token }}" }
    oauth2: { authorize: { url: https://notes.example/authorize }, token: { url: https://notes.example/token }, refresh: false }
check: { entity: notes, action: list }
entities:
  notes:
    record:
      properties:
        id: { type: string }
        title: { type: [string, "null"] }
        state: { type: string, enum: [open, done] }
        size: { type: string, format: int64 }
        author: { type: object, properties: { name: { type: string } } }
    actions:
      list:
        scopes: ["notes:read"]
        params:
          properties:
            state: { type: string, enum: [open, done] }
            limit: { type: integer, minimum: 1, maximum: 100 }
            cursor: { type: string }
        request: { http: GET /notes, query: [state, limit, cursor] }
        response: { records: $.items }
        pagination: { type: cursor, param: cursor, size: limit, next: $.next }
      get:
        scopes: ["notes:read"]
        params: { required: [id], properties: { id: { type: string } } }
        request: { http: "GET /notes/{{ params.id }}" }
      create:
        scopes: ["notes:write"]
        params:
          required: [title]
          properties:
            title: { type: string, maxLength: 80 }
            tags: { type: array, items: { type: string } }
            author: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string } } }
        request: { http: POST /notes, body: [title, tags, author] }
`

const NOTE = {
  type: 'object',
  description: 'A note.',
  properties: {
    id: { type: 'string', description: 'Its id.' },
    title: { type: 'string', nullable: true },
    state: { type: 'string', enum: ['open', 'done'] },
    size: { type: 'integer', format: 'int64' },
    author: { $ref: '#/components/schemas/Author' },
  },
}
const AUTHOR = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    friends: { type: 'array', items: { $ref: '#/components/schemas/Author' } },
  },
}

export const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '7', license: { name: 'MIT' } },
  servers: [{ url: 'https://api.notes.example/v1' }],
  paths: {
    '/notes': {
      get: {
        parameters: [
          { name: 'state', in: 'query', schema: { type: 'string', enum: ['open', 'done'] } },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'cursor', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    items: { type: 'array', items: { $ref: '#/components/schemas/Note' } },
                    next: { type: 'string' },
                  },
                },
              },
            },
          },
        },
        security: [{ oauth: ['notes:read'] }],
      },
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['title'],
                properties: {
                  title: { type: 'string', maxLength: 80 },
                  tags: { type: 'array', items: { type: 'string' } },
                  author: { $ref: '#/components/schemas/Author' },
                },
              },
            },
          },
        },
        responses: {
          '201': {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
        },
        security: [{ oauth: ['notes:write'] }],
      },
    },
    '/notes/{note_id}': {
      get: {
        parameters: [{ name: 'note_id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
        },
        security: [{ oauth: ['notes:read'] }],
      },
    },
  },
  components: { schemas: { Note: NOTE, Author: AUTHOR } },
}

const { nullable: _, ...SWAGGER_TITLE } = NOTE.properties.title

export const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Notes', version: '7' },
  host: 'api.notes.example',
  basePath: '/v1',
  schemes: ['https'],
  paths: {
    '/notes': {
      get: {
        parameters: [
          { name: 'token', in: 'query', type: 'string', required: true },
          { name: 'state', in: 'query', type: 'string', enum: ['open', 'done'] },
          { name: 'limit', in: 'query', type: 'integer', maximum: 100 },
          { name: 'cursor', in: 'query', type: 'string' },
        ],
        responses: {
          '200': {
            schema: {
              type: 'object',
              properties: {
                items: { type: 'array', items: { $ref: '#/definitions/Note' } },
                next: { type: 'string' },
              },
            },
          },
        },
        security: [{ oauth: ['notes:read'] }],
      },
      post: {
        parameters: [
          {
            name: 'body',
            in: 'body',
            required: true,
            schema: {
              required: ['title'],
              properties: {
                title: { type: 'string' },
                tags: { type: 'array', items: { type: 'string' } },
                author: {
                  type: 'object',
                  required: ['name'],
                  properties: { name: { type: 'string' } },
                },
              },
            },
          },
        ],
        responses: { '200': { schema: { $ref: '#/definitions/Note' } } },
        security: [{ oauth: ['notes:write'] }],
      },
    },
    '/notes/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
        responses: { '200': { schema: { $ref: '#/definitions/Note' } } },
      },
    },
  },
  definitions: {
    Note: {
      ...NOTE,
      properties: { ...NOTE.properties, title: SWAGGER_TITLE, author: { type: 'object' } },
    },
  },
}

const scopes = (scope: string): object => ({ scopes: [scope, 'all'] })

export const DISCOVERY = {
  kind: 'discovery#restDescription',
  title: 'Notes',
  version: 'v1',
  revision: '20260101',
  rootUrl: 'https://api.notes.example/',
  servicePath: 'v1/',
  parameters: { alt: { type: 'string', location: 'query' } },
  schemas: {
    Note: {
      id: 'Note',
      type: 'object',
      properties: {
        id: { type: 'string' },
        title: { type: 'string' },
        state: { type: 'string', enum: ['open', 'done'] },
        size: { type: 'string', format: 'int64' },
        author: { $ref: 'Author' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
    Author: { id: 'Author', type: 'object', properties: { name: { type: 'string' } } },
    NoteList: {
      id: 'NoteList',
      type: 'object',
      properties: { items: { type: 'array', items: { $ref: 'Note' } }, next: { type: 'string' } },
    },
  },
  resources: {
    notes: {
      methods: {
        list: {
          httpMethod: 'GET',
          path: 'notes',
          parameters: {
            state: { type: 'string', enum: ['open', 'done'], location: 'query' },
            limit: { type: 'integer', maximum: '100', location: 'query' },
            cursor: { type: 'string', location: 'query' },
          },
          response: { $ref: 'NoteList' },
          ...scopes('notes:read'),
        },
        get: {
          httpMethod: 'GET',
          path: 'notes/{noteId}',
          parameters: { noteId: { type: 'string', required: true, location: 'path' } },
          response: { $ref: 'Note' },
          ...scopes('notes:read'),
        },
        insert: {
          httpMethod: 'POST',
          path: 'notes',
          request: { $ref: 'Note' },
          response: { $ref: 'Note' },
          ...scopes('notes:write'),
        },
      },
    },
  },
}

export function manifestOf(text: string): Manifest {
  return requireManifest(loadManifest({ text, file: 'notes.yaml' }))
}

/** A copy of a document in which the value at a place is another one; undefined takes it out. */
export function changed(document: object, path: readonly (string | number)[], value?: Json): Json {
  const copy = structuredClone(document) as Json
  let at = copy as Record<string, Json | undefined>
  for (const step of path.slice(0, -1)) at = at[step] as Record<string, Json | undefined>
  const last = String(path.at(-1))
  if (value === undefined) Reflect.deleteProperty(at, last)
  else at[last] = value
  return copy
}
