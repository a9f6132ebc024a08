// One mistake each: what is replaced in fixtures/acme.yaml, and the finding it must give. The finding's place stands
// between « and » in the new text. Several replacements make one mistake where the rest would be a second one.

export interface BrokenManifest {
  readonly rule: string
  readonly edits: readonly (readonly [from: string, to: string])[]
  /** Part of the hint, where the way out is a name. */
  readonly hint?: string
}

export const BROKEN: Readonly<Record<string, readonly BrokenManifest[]>> = {
  expressions: [
    {
      rule: 'expression/unknown-path',
      edits: [['"{{ params.since }}"', '"{{ «params.sinse» }}"']],
      hint: 'did you mean "since"?',
    },
    {
      rule: 'expression/unknown-path',
      edits: [['X-Account: "{{ config.account }}"', 'X-Account: "{{ «config.acount» }}"']],
      hint: 'did you mean "account"?',
    },
    {
      rule: 'expression/unknown-path',
      edits: [['"{{ credentials.api_key }}"', '"{{ «credentials.api_kay» }}"']],
      hint: 'did you mean "api_key"?',
    },
    {
      rule: 'expression/unknown-path',
      edits: [['{{ lookup maps.labels config', '{{ lookup «maps.lables» config']],
      hint: 'did you mean "labels"?',
    },
    {
      rule: 'expression/unknown-path',
      edits: [['[name, address, {', '[name, address, { town: "{{ «params.address.town» }}" }, {']],
      hint: 'known: city, street',
    },
    {
      rule: 'expression/unknown-path',
      edits: [['{{ response.body.error.text }}', '{{ «response.boddy.error.text» }}']],
      hint: 'did you mean "body"?',
    },
    {
      rule: 'expression/unknown-path',
      edits: [
        [
          'url: https://login.acme.example/authorize }',
          'url: https://login.acme.example/authorize, params: { app: "{{ «client.name» }}" } }',
        ],
      ],
      hint: 'known: id, secret',
    },
    {
      rule: 'expression/unknown-path',
      edits: [
        [
          '{{#if params.xml}}{{ xml params.xml }}{{/if}}',
          '{{#each params.lines as |line|}}{{ xml «line.nmae» }}{{/each}}{{ xml params.xml }}',
        ],
        [
          'required: [xml], properties: {',
          'required: [xml], properties: { lines: { type: array, items: { type: object, additionalProperties: false, properties: { name: { type: string } } } },',
        ],
      ],
      hint: 'did you mean "name"?',
    },
    {
      rule: 'expression/arguments',
      edits: [['{{ lookup maps.labels config.region }}', '{{ «lookup» maps.labels }}']],
    },
    {
      rule: 'expression/root-out-of-place',
      edits: [['"{{ not record.deleted }}"', '"{{ not «response.body.deleted» }}"']],
    },
    {
      rule: 'expression/root-out-of-place',
      edits: [
        [
          'action: list, parent:',
          'action: list, params: { page: "{{ «cursor.since» }}" }, parent:',
        ],
      ],
    },
    {
      rule: 'expression/root-out-of-place',
      edits: [
        [
          '{ X-Api-Key: "{{ credentials.api_key }}" }',
          '{ X-Api-Key: "{{ credentials.api_key }}", X-S: "{{ «session.id» }}" }',
        ],
      ],
    },
    {
      rule: 'expression/now-out-of-place',
      edits: [['"{{ params.since }}"', '"{{ default params.since («now») }}"']],
    },
    {
      rule: 'expression/syntax',
      edits: [['"{{ params.since }}"', '"{{ match params.since «\'^(?=2)\'» }}"']],
    },
    {
      rule: 'expression/not-evaluated',
      edits: [['{ $.error.code: expired }', '{ $.error.code: «"{{ config.account }}"» }']],
    },
    {
      rule: 'path/root-out-of-place',
      edits: [['{ records: $.data.orders }', '{ records: «$next» }']],
    },
    {
      rule: 'path/root-out-of-place',
      edits: [['from: { city: $.address.city }', 'from: { city: «$parent.city» }']],
    },
    {
      rule: 'path/root-out-of-place',
      edits: [
        ['store: { config.account: $.account }', 'store: { config.account: «$headers.x-account» }'],
      ],
      hint: 'the body of the answer',
    },
    {
      rule: 'path/root-out-of-place',
      edits: [
        [
          'apply: { headers: { X-Api-Key: "{{ credentials.api_key }}" } }',
          'apply: { headers: { X-Api-Key: "{{ session.token }}", X-Key: "{{ credentials.api_key }}" } }\n    session: { request: { http: POST /login }, store: { session.token: «$link.next» } }',
        ],
      ],
      hint: 'the body of the answer',
    },
    {
      rule: 'response/page-without-records',
      edits: [['{ records: $.data.orders }', '{ records: "$.data[0].orders", page: «$.data» }']],
      hint: 'only names may lead',
    },
    {
      rule: 'response/page-without-records',
      edits: [['{ records: $.data.orders }', '{ records: $.data.orders, page: «$.info» }']],
    },
    {
      rule: 'response/unknown-field',
      edits: [['{ records: $.data.orders }', '{ records: $.data.orders, keyed: «idd» }']],
      hint: 'did you mean "id"?',
    },
    {
      rule: 'response/xml-top',
      edits: [['{ records: $.data.orders }', '{ records: «$», decode: xml }']],
      hint: 'name the element',
    },
    {
      rule: 'response/xml-top',
      edits: [
        [
          'request: { http: GET /plan }',
          'request: { http: GET /plan }\n        «response»: { decode: xml }',
        ],
      ],
    },
    {
      rule: 'response/xml-flag',
      edits: [
        ['{ records: $.items, keep:', '{ records: $.items.item, decode: xml, keep:'],
        [
          'pages: $.pages, more: { $.more: { equals: true } }',
          'pages: $.items.pages, last: «$.items.isLast»',
        ],
      ],
      hint: 'last: { $.items.isLast: "true" }',
    },
    {
      rule: 'response/xml-top',
      edits: [
        ['{ records: $.items, keep:', '{ records: $.items.item, decode: xml, keep:'],
        ['pages: $.pages, more: { $.more: { equals: true } }', 'pages: «$.pages»'],
      ],
      hint: 'write $.items.pages',
    },
    {
      rule: 'response/xml-top',
      edits: [
        ['{ records: $.items, keep:', '{ records: «$.items», decode: xml, keep:'],
        ['pages: $.pages, more: { $.more: { equals: true } }', 'first: 1'],
      ],
      hint: '$.Result.items',
    },
    {
      rule: 'response/graphql-data',
      edits: [['{ records: $.data.orders }', '{ records: «$.orders» }']],
      hint: 'write $.data.orders',
    },
    {
      rule: 'expression/arguments-turned',
      edits: [
        [
          '{ labels: "{{ lookup maps.labels config.region }}" }, tags]',
          '{ labels: "{{ lookup maps.labels config.region }}" }, { tags: "{{ «join» \',\' params.tags }}" }]',
        ],
      ],
      hint: "write {{ join list ',' }}",
    },
    {
      rule: 'response/keyed-type',
      edits: [['{ records: $.data.orders }', '{ records: $.data.orders, grouped: «total» }']],
      hint: 'declare it as type: string',
    },
    {
      rule: 'response/drops-record',
      edits: [['{ records: $.data.orders }', '{ records: $.data.orders, drop: [«$»] }']],
      hint: 'response.keep',
    },
  ],
  injection: [
    {
      rule: 'injection/unquoted',
      edits: [["{{ quote params.name ''\"'' }}", '{{ «params.name» }}']],
      hint: "quote params.name '\"'",
    },
    {
      rule: 'injection/unquoted',
      edits: [["{{ quote params.name ''\"'' }}", "{{ quote «params.name» ''|'' }}"]],
    },
    { rule: 'injection/unencoded', edits: [['{{ xml params.xml }}', '{{ «params.xml» }}']] },
    {
      rule: 'injection/graphql',
      edits: [['orders(text: $text)', 'orders(text: {{ «params.text» }})']],
    },
  ],
  params: [
    {
      rule: 'params/unknown-in-limits',
      edits: [['\nentities:', '\nlimits: { narrow: [{ per: «nobody» }] }\nentities:']],
    },
    {
      rule: 'params/unused',
      edits: [
        [
          'limit: { type: integer }',
          'limit: { type: integer }\n            «extra»: { type: string }',
        ],
      ],
    },
    {
      rule: 'params/unused',
      edits: [
        ['[name, address, {', '[name, { city: "{{ params.address.city }}" }, {'],
        ['city: { type: string }, street:', 'city: { type: string }, «street»:'],
      ],
    },
    {
      rule: 'params/optional-in-path',
      edits: [
        ['get:\n        params: { required: [id], ', 'get:\n        params: { '],
        [
          '/customers/{{ params.id }}" }\n      create',
          '/customers/{{ «params.id» }}" }\n      create',
        ],
      ],
    },
    {
      rule: 'request/unknown-param',
      edits: [['query: [limit, after, {', 'query: [limit, «aftr», {']],
      hint: 'did you mean "after"?',
    },
    {
      rule: 'request/unknown-param',
      edits: [['http: GET /plan }', 'http: GET /plan, query: [«name»] }']],
      hint: 'it declares no params',
    },
    {
      rule: 'response/unknown-param',
      edits: [['where: { id: ids }', 'where: { id: «idz» }']],
      hint: 'did you mean "ids"?',
    },
    {
      rule: 'response/unknown-field',
      edits: [['where: { id: ids }', 'where: { «idd»: ids }']],
      hint: 'did you mean "id"?',
    },
    {
      rule: 'params/unknown-param',
      edits: [['params: [name, state]', 'params: [name, «stat»]']],
      hint: 'did you mean "state"?',
    },
    {
      rule: 'params/unknown-param',
      edits: [['unsent: { state:', 'unsent: { «stat»:']],
      hint: 'did you mean "state"?',
    },
    {
      rule: 'params/unsent-but-sent',
      edits: [['unsent: { state:', 'unsent: { «limit»: Not sent., state:']],
    },
    {
      rule: 'params/unknown-param',
      edits: [['range: range,', 'range: «rnge»,']],
      hint: 'did you mean "range"?',
    },
    {
      rule: 'params/neither-open-nor-closed',
      edits: [
        [
          'tags: { type: array, maxItems',
          'note: { type: object, «properties»: { text: { type: string } } }\n            tags: { type: array, maxItems',
        ],
        ['}, tags] }', '}, tags, note] }'],
      ],
    },
    {
      rule: 'params/default-invalid',
      edits: [['{ type: string, default: eu }', '{ type: string, default: «5» }']],
    },
    {
      rule: 'params/default-invalid',
      edits: [['{ enum: [eu, us], default: eu }', '{ enum: [eu, us], default: «de» }']],
    },
    { rule: 'schema/alias-taken', edits: [['aliases: [account_id]', 'aliases: [«region»]']] },
  ],
  requests: [
    {
      rule: 'request/graphql-braces',
      edits: [
        [
          'query: "query Find($text: String!) { orders(text: $text) { {{ default (graphql_fields params.fields) maps.selection.order }} } }"',
          'query: «"query Find($text: String!) { orders(text: $text) { {{ default (graphql_fields params.fields) maps.selection.order }} }"»',
        ],
      ],
      hint: 'write } at its end',
    },
    {
      rule: 'request/graphql-variable',
      edits: [['variables: [text]', 'variables: [text, «fields»]']],
      hint: 'known: text',
    },
    {
      rule: 'request/graphql-variable',
      edits: [
        ['query Find($text: String!)', 'query Find($text: String!, $more: Int!)'],
        ['variables: [text]', '«variables»: [text]'],
      ],
      hint: 'variables: [more]',
    },
    {
      rule: 'request/name-without-value',
      edits: [['query: [page] }', 'query: { «page», n: "{{ params.page }}" } }']],
      hint: 'write [page]',
    },
    {
      rule: 'request/changing-method',
      edits: [['http: GET /plan }', 'http: «DELETE /plan» }']],
      hint: 'reads: true',
    },
    {
      rule: 'request/changing-method',
      edits: [
        [
          'check: { entity: customers, action: list, params: { limit: 1 } }',
          'check: { request: { http: «PUT /ping» } }',
        ],
      ],
    },
    {
      rule: 'request/changing-tool',
      edits: [['http: GET /plan }', 'mcp: «get_plan» }']],
      hint: 'readOnlyHint',
    },
    {
      rule: 'response/content-of-no-tool',
      edits: [['http: GET /plan }', 'http: GET /plan }\n        response: { decode: «content» }']],
    },
    {
      rule: 'request/reading-tool',
      edits: [
        [
          'http: POST /orders.xml, text: { type: text/xml, value: "<order>{{#if params.xml}}{{ xml params.xml }}{{/if}}</order>" } }',
          'mcp: add_order, «reads»: true }',
        ],
      ],
    },
    {
      rule: 'request/reads-without-effect',
      edits: [['http: GET /plan }', 'http: GET /plan, «reads»: true }']],
    },
    {
      rule: 'request/reads-without-effect',
      edits: [['body: [name, notify] }', '«reads»: true, body: [name, notify] }']],
    },
    {
      rule: 'request/content-type',
      edits: [
        [
          'body: [name, notify] }',
          'headers: { «Content-Type»: application/binary }, body: { base64: "{{ params.name }}", n: "{{ params.notify }}" } }',
        ],
      ],
      hint: 'write bytes: { base64, type }',
    },
    {
      rule: 'request/content-type',
      edits: [
        [
          'body: { state: "{{ params.state }}", last: "{{ steps.edit.body.state }}" } }',
          'headers: { «Content-Type»: "{{ params.state }}" }, query: { last: "{{ steps.edit.body.state }}" }, body: { base64: "{{ params.state }}" } }',
        ],
      ],
    },
    {
      rule: 'request/content-type',
      edits: [
        [
          'body: [name, notify] }',
          'headers: { «Content-Type»: application/json }, form: [name, notify] }',
        ],
      ],
    },
    {
      rule: 'request/needs-scalar',
      edits: [
        [
          'X-Account: "{{ config.account }}"',
          'X-Account: "{{ config.account }}", X-Ids: "{{ «params.ids» }}"',
        ],
      ],
    },
    {
      rule: 'request/needs-scalar',
      edits: [
        [
          'headers: { X-Account: "{{ config.account }}" }',
          'headers: [{ X-Account: "{{ config.account }}" }, «ids»]',
        ],
      ],
    },
    {
      rule: 'request/needs-scalar',
      edits: [['"{{ params.since }}"', '"{{ params.since }}/{{ «split» params.name \',\' }}"']],
    },
    {
      rule: 'request/object-needs-style',
      edits: [['body: [name, address, {', 'query: [«address»], body: [name, {']],
    },
    {
      rule: 'request/object-needs-style',
      edits: [
        [
          'body: [name, address, {',
          'query: { «a»: { $value: "{{ params.address }}", $style: csv } }, body: [name, {',
        ],
      ],
    },
    { rule: 'request/path', edits: [['http: GET /plan', 'http: «GET /a/../plan»']] },
    {
      rule: 'request/engine-header',
      edits: [['headers: { X-Part:', 'headers: { «Cookie»: a=b, X-Part:']],
    },
    {
      rule: 'auth/header-taken',
      edits: [['headers: { X-Account:', 'headers: { «x-api-key»: mine, X-Account:']],
    },
  ],
  schemas: [
    {
      rule: 'schema/one-of',
      edits: [
        [
          'balance: { type: number }',
          'balance: { type: object, «oneOf»: [{ type: object, required: [a], properties: { a: { type: string } } }, { type: object, required: [b], properties: { b: { type: string } } }] }',
        ],
      ],
    },
    {
      rule: 'schema/any-of',
      edits: [
        [
          'street: { type: string } }',
          'street: { «anyOf»: [{ type: string }, { type: integer }] } }',
        ],
      ],
    },
    {
      rule: 'schema/null-in-enum',
      edits: [['street: { type: string } }', 'street: { type: string, «enum»: [a, null] } }']],
    },
    { rule: 'schema/pattern', edits: [['pattern: "^[a-z]+$"', 'pattern: «"^(?!x)[a-z]+$"»']] },
    { rule: 'schema/pattern', edits: [['pattern: "^[a-z]+$"', 'pattern: «"^([a-z])\\\\1$"»']] },
    {
      rule: 'schema/unique-items',
      edits: [['maxItems: 10, uniqueItems: true', '«uniqueItems»: true']],
    },
    {
      rule: 'schema/unique-items',
      edits: [['maxItems: 10, uniqueItems: true', 'maxItems: 101, «uniqueItems»: true']],
    },
    {
      rule: 'schema/required-unknown',
      edits: [['required: [name]', 'required: [«nme»]']],
      hint: 'did you mean "name"?',
    },
    {
      rule: 'schema/refers-to-unknown',
      edits: [
        [
          'total: { type: integer }, customer: { type: string } }',
          'total: { type: integer }, customer: { type: string, refers_to: «customer» } }',
        ],
      ],
      hint: 'did you mean "customers"?',
    },
    {
      rule: 'schema/refers-to-no-key',
      edits: [
        [
          'total: { type: integer }, customer: { type: string } }',
          'total: { type: integer }, customer: { type: string, refers_to: «plans» } }',
        ],
      ],
      hint: 'add sync to plans',
    },
    {
      // Two members name it together.
      rule: 'schema/refers-to-no-key',
      edits: [
        [
          'total: { type: integer }, customer: { type: string } }',
          'total: { type: integer }, customer: { type: string, refers_to: «orders» } }',
        ],
      ],
      hint: 'remove it',
    },
    {
      rule: 'schema/refers-to-type',
      edits: [
        [
          'total: { type: integer }, customer: { type: string } }',
          'total: { type: integer, refers_to: «customers» }, customer: { type: string } }',
        ],
      ],
      hint: 'the type here is integer',
    },
    {
      rule: 'schema/refers-to-type',
      edits: [
        [
          'fields: { type: array, items: { type: string } } } }',
          'fields: { type: array, refers_to: «customers», items: { type: string } } } }',
        ],
      ],
      hint: 'in a list it stands at items',
    },
    {
      rule: 'schema/keyword-out-of-place',
      edits: [
        [
          'required: [api_key], properties: { api_key: { type: string, writeOnly: true } }',
          'required: [api_key], properties: { api_key: { type: string, writeOnly: true, «refers_to»: customers } }',
        ],
      ],
      hint: 'remove it',
    },
    {
      rule: 'schema/secret-not-marked',
      edits: [
        ['client_secret: { type: string, writeOnly: true }', '«client_secret»: { type: string }'],
      ],
    },
    {
      rule: 'schema/secret-not-marked',
      edits: [
        [
          'required: [api_key], properties: { api_key: { type: string, writeOnly: true } }',
          'required: [apiKey], properties: { «apiKey»: { type: string } }',
        ],
        ['credentials.api_key', 'credentials.apiKey'],
      ],
    },
    {
      rule: 'schema/keyword-out-of-place',
      edits: [['balance: { type: number }', 'balance: { type: number, «default»: 0 }']],
    },
    {
      rule: 'schema/keyword-out-of-place',
      edits: [['street: { type: string } }', 'street: { type: string, «writeOnly»: true } }']],
    },
    {
      rule: 'schema/keyword-out-of-place',
      edits: [['street: { type: string } }', 'street: { type: string, «aliases»: [road] } }']],
    },
    {
      rule: 'schema/keyword-out-of-place',
      edits: [['street: { type: string } }', 'street: { type: string, «help»: In the letter. } }']],
    },
    {
      rule: 'schema/keyword-out-of-place',
      edits: [['street: { type: string } }', 'street: { type: string, «example»: Elm } }']],
    },
    {
      rule: 'schema/example-refused',
      edits: [
        [
          'client_secret: { type: string, writeOnly: true }',
          'client_secret: { type: string, writeOnly: true, «example»: abc }',
        ],
      ],
    },
    {
      rule: 'schema/example-refused',
      edits: [['region: { enum: [eu, us],', 'region: { enum: [eu, us], «example»: east,']],
    },
  ],
  pagination: [
    {
      rule: 'pagination/param-type',
      edits: [
        [
          'customer: { type: string }, page: { type: integer } } }',
          'customer: { type: string }, page: { enum: [1, 2] } } }',
        ],
        ['type: page, param: page', 'type: page, param: «page»'],
      ],
      hint: 'what changes from page to page',
    },
    {
      rule: 'pagination/flag-turned',
      edits: [
        [
          'next: $.next, meta: { cursor: $next } }',
          'next: $.next, last: «$.has_more», meta: { cursor: $next } }',
        ],
      ],
      hint: 'write more: $.has_more',
    },
    {
      rule: 'pagination/missing',
      edits: [
        [
          '  pagination: { type: cursor, param: after, size: limit, next: $.next, meta: { cursor: $next } }\n',
          '',
        ],
        ['    - { when: { status: 413 }, then: shrink_page }\n', ''],
        [
          'address: { $ref: "#/shapes/address" }\n    actions:\n      list:',
          'address: { $ref: "#/shapes/address" }\n    actions:\n      «list»:',
        ],
      ],
    },
    {
      rule: 'pagination/unknown-param',
      edits: [['type: page, param: page', 'type: page, param: «pge»']],
      hint: 'did you mean "page"?',
    },
    {
      rule: 'pagination/unknown-param',
      edits: [
        [
          'type: page, param: page',
          'type: page, param: page, carry: { «report»: "{{ response.body.id }}" }',
        ],
      ],
    },
    {
      rule: 'pagination/unknown-param',
      edits: [['type: cursor, param: after', 'type: cursor, param: «aftr»']],
      hint: 'did you mean "after"?',
    },
    {
      rule: 'pagination/unknown-param',
      edits: [
        ['        params: { required: [text]', '        «params»: { required: [text]'],
        ['        pagination: { type: none, reason: The vendor sends all matches. }\n', ''],
      ],
      hint: 'a pagination of its own',
    },
    {
      rule: 'pagination/param-type',
      edits: [
        ['page: { type: integer }', 'page: { type: string }'],
        ['type: page, param: page', 'type: page, param: «page»'],
      ],
    },
    {
      rule: 'pagination/single-turns-pages',
      edits: [
        ['{ records: $.items, keep:', '{ records: $.items, single: true, keep:'],
        ['type: page, param', 'type: «page», param'],
      ],
    },
    {
      rule: 'pagination/silent-end-without-effect',
      edits: [
        [
          'pages: $.pages, more: { $.more: { equals: true } } }',
          'pages: $.pages, «silent_end»: true }',
        ],
      ],
    },
    {
      rule: 'pagination/no-size-to-shrink',
      edits: [['then: retry }', 'then: «shrink_page» }']],
    },
    {
      rule: 'pagination/nothing-to-restart',
      edits: [
        [
          'http: GET /plan }',
          'http: GET /plan }\n        errors: [{ when: { status: 400 }, then: «restart_pagination» }]',
        ],
      ],
    },
  ],
  errors: [
    {
      rule: 'errors/wait-never-reached',
      edits: [
        [
          '  error_body: { message',
          '  retry: { wait: [{ exponential: 1s }, «{ header: Retry-After }»] }\n  error_body: { message',
        ],
      ],
      hint: 'move exponential to the end',
    },
    {
      rule: 'errors/wait-bounds',
      edits: [
        [
          '  error_body: { message',
          '  retry: { wait: [{ exponential: 2s, max: «500ms» }] }\n  error_body: { message',
        ],
      ],
      hint: 'a max of 2s or more',
    },
    {
      rule: 'errors/never-reached',
      edits: [
        [
          '    - { when: { body: { $.ok: false } }, then: fail, as: invalid }',
          '    - { when: { body: { $.ok: false } }, then: fail, as: invalid }\n    - { «when»: { status: 400, body: { $.ok: false } }, then: fail }',
        ],
      ],
    },
    {
      rule: 'errors/never-reached',
      edits: [
        [
          '          - { when: { status: 409,',
          '          - { when: { status: 4xx, body: { $.code: { gte: 10 } } }, then: fail }\n          - { «when»: { status: [400, 409], body: { $.code: [12, 40] } }, then: retry }\n          - { when: { status: 409,',
        ],
      ],
    },
    { rule: 'errors/success-without-as', edits: [['then: fail, as: invalid }', 'then: «fail» }']] },
    {
      rule: 'errors/empty-without-list',
      edits: [
        [
          'http: GET /plan }',
          'http: GET /plan }\n        errors: [{ when: { status: 404 }, then: «empty» }]',
        ],
      ],
    },
    { rule: 'schema/pattern', edits: [['{ matches: "^re" }', '{ matches: «"^(?=re)"» }']] },
  ],
  auth: [
    {
      rule: 'auth/credential-unused',
      edits: [
        [
          'api_key: { type: string, writeOnly: true }',
          'api_key: { type: string, writeOnly: true }, «tenant»: { type: string }',
        ],
      ],
    },
    {
      rule: 'auth/indistinct',
      edits: [
        [
          '  oauth:\n',
          '  «header»:\n    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }\n    apply: { headers: { X-Key: "{{ credentials.api_key }}" } }\n  oauth:\n',
        ],
      ],
    },
    {
      rule: 'auth/access-token-missing',
      edits: [
        ['  oauth:\n    credentials:', '  oauth:\n    «credentials»:'],
        ['        access_token: { type: string, writeOnly: true }\n', ''],
        ['{{ credentials.access_token }}', '{{ credentials.refresh_token }}'],
      ],
    },
    {
      rule: 'auth/refresh-token-missing',
      edits: [
        ['  oauth:\n    credentials:', '  oauth:\n    «credentials»:'],
        ['required: [refresh_token]', 'required: [access_token]'],
        ['        refresh_token: { type: string, writeOnly: true }\n', ''],
      ],
    },
    {
      rule: 'auth/undeclared-target',
      edits: [['store: { config.account:', 'store: { «config.acount»:']],
      hint: 'did you mean "account"?',
    },
    {
      rule: 'auth/undeclared-target',
      edits: [['store: { config.account:', 'store: { «session.account»:']],
    },
    {
      rule: 'auth/undeclared-target',
      edits: [['  key:\n', '  key:\n    derive: { «config.dc»: "{{ credentials.api_key }}" }\n']],
    },
    {
      rule: 'server/user-info',
      edits: [
        [
          'url: "https://{{ config.region }}.acme.example/v1"',
          'url: «"https://{{ config.region }}.acme.example@evil.acme.example/v1"»',
        ],
      ],
    },
    {
      rule: 'server/user-info',
      edits: [
        [
          'url: "https://{{ config.region }}.acme.example/v1"',
          'url: «"https://ok.example@evil.example"»',
        ],
        ['hosts: ["*.acme.example", files.acme.example]', 'hosts: any'],
      ],
    },
    {
      rule: 'server/user-info',
      edits: [
        [
          'token: { url: https://login.acme.example/token }',
          'token: { url: «https://user:password@login.acme.example/token» }',
        ],
      ],
    },
    {
      rule: 'request/segments',
      edits: [
        [
          '"GET /customers/{{ params.id }}/file"',
          '"GET /{{ segments params.id }}/file/{{ «segments» params.id }}"',
        ],
      ],
    },
    {
      rule: 'request/segments',
      edits: [
        [
          '"GET /customers/{{ params.id }}/file"',
          '"GET /customers/{{ lower («segments» params.id) }}/file"',
        ],
      ],
      hint: 'write {{ segments params.path }} in http, with nothing around the call',
    },
    {
      rule: 'request/segments',
      edits: [
        ['body: { state: "{{ params.state }}"', 'body: { state: "{{ «segments» params.state }}"'],
      ],
    },
    {
      rule: 'request/file',
      edits: [
        ['notify: { type: boolean }', 'notify: { type: string, format: binary }'],
        ['body: [name, notify]', 'body: [name, «notify»]'],
      ],
      hint: 'write it below base64 of bytes, multipart or related',
    },
    {
      rule: 'request/file',
      edits: [
        ['notify: { type: boolean }', 'notify: { type: string, format: binary }'],
        ['body: [name, notify]', 'bytes: { base64: "{{ base64 «params.notify» }}" }'],
        ['{{ not (or params.name params.state) }}', '{{ not (or params.name params.notify) }}'],
      ],
    },
    {
      rule: 'params/file',
      edits: [
        ['notify: { type: boolean }', 'notify: { type: string, format: binary, «maxLength»: 9 }'],
        ['body: [name, notify]', 'bytes: { base64: "{{ params.notify }}", type: image/png }'],
        ['{{ not (or params.name params.state) }}', '{{ not (or params.name params.notify) }}'],
      ],
    },
    {
      rule: 'params/file',
      edits: [
        ['name: { type: [string, "null"] }', 'name: { type: [string, "null"], format: «binary» }'],
      ],
      hint: 'write format: byte for base64 text',
    },
    {
      rule: 'params/file',
      edits: [
        [
          'state: { type: string, description: Not',
          'state: { type: string, «format»: binary, description: Not',
        ],
      ],
    },
    {
      rule: 'server/hosts-missing',
      edits: [
        ['  hosts: ["*.acme.example", files.acme.example]\n', ''],
        [
          'url: "https://{{ config.region }}.acme.example/v1"',
          'url: «"https://{{ config.region }}.acme.example/v1"»',
        ],
      ],
    },
    {
      rule: 'server/hosts-missing',
      edits: [
        ['  hosts: ["*.acme.example", files.acme.example]\n', ''],
        ['url: "https://{{ config.region }}.acme.example/v1"', 'url: https://eu.acme.example/v1'],
        [
          'token: { url: https://login.acme.example/token }',
          'token: { url: «"https://{{ config.region }}.acme.example/token"» }',
        ],
      ],
    },
    {
      rule: 'server/hosts-missing',
      edits: [
        ['  hosts: ["*.acme.example", files.acme.example]\n', ''],
        ['url: "https://{{ config.region }}.acme.example/v1"', 'url: https://eu.acme.example/v1'],
        [
          '    apply: { bearer:',
          '    server: { url: «"{{ config.account }}"» }\n    apply: { bearer:',
        ],
      ],
    },
    {
      rule: 'server/host-stored',
      edits: [
        ['hosts: ["*.acme.example", files.acme.example]', 'hosts: any'],
        ['"https://{{ config.region }}.acme.example/v1"', '"https://{{ config.account }}/v1"'],
        ['store: { config.account:', 'store: { «config.account»:'],
      ],
    },
    {
      rule: 'server/host-in-parts',
      edits: [
        ['hosts: ["*.acme.example", files.acme.example]', 'hosts: any'],
        [
          'url: "https://{{ config.region }}.acme.example/v1"',
          'url: «"https://{{ config.region }}.acme.example/v1"»',
        ],
      ],
    },
    {
      rule: 'server/host-not-listed',
      edits: [
        [
          'url: "https://{{ config.region }}.acme.example/v1"',
          'url: ["https://{{ config.region }}.acme.example/v1", «https://acme.test»]',
        ],
      ],
    },
    {
      rule: 'server/credentials-elsewhere',
      edits: [['http: GET /plan', 'http: «GET https://plans.example/plan»']],
    },
  ],
  steps: [
    {
      rule: 'steps/poll-once',
      edits: [
        [
          'request: { http: "PUT /customers/{{ params.id }}", body: [name, notify] } }',
          'request: { http: "PUT /customers/{{ params.id }}", body: [name, notify] }, poll: { until: { $.done: true }, every: «2m», timeout: 10s } }',
        ],
      ],
      hint: 'may have been swapped',
    },
    {
      rule: 'steps/not-run-yet',
      edits: [
        ['body: [name, notify]', 'body: [name, notify, { last: "{{ «steps.move.body.state» }}" }]'],
      ],
    },
    {
      rule: 'steps/unknown-step',
      edits: [['"{{ steps.edit.status }}"', '"{{ «steps.edti.status» }}"']],
      hint: 'did you mean "edit"?',
    },
    {
      rule: 'steps/records-unused',
      edits: [['name: move,', 'name: move, «records»: $.items,']],
    },
    { rule: 'steps/name-twice', edits: [['name: move,', 'name: «edit»,']] },
    {
      rule: 'steps/all-conditional',
      edits: [
        [
          '        refuse:\n          - { if: "{{ not (or params.name params.state) }}", params: [name, state], message: Nothing to change. }\n',
          '',
        ],
        ['        steps:', '        «steps»:'],
      ],
    },
  ],
  sync: [
    {
      rule: 'sync/unknown-action',
      edits: [
        ['primary_key: id\n      action: list', 'primary_key: id\n      action: «api_search»'],
      ],
    },
    {
      rule: 'sync/unknown-param',
      edits: [['params: { limit: 100 }', 'params: { «limt»: 100 }']],
      hint: 'did you mean "limit"?',
    },
    {
      rule: 'sync/unknown-param',
      edits: [['since: since', 'since: «sinse»']],
      hint: 'did you mean "since"?',
    },
    {
      rule: 'sync/unknown-param',
      edits: [['bind: { customer:', 'bind: { «customr»:']],
      hint: 'did you mean "customer"?',
    },
    {
      rule: 'sync/unknown-param',
      edits: [
        [
          'params: { limit: 100 }',
          'params: { limit: 100 }\n      each: { «regin»: "{{ split config.account \',\' }}" }',
        ],
      ],
    },
    {
      rule: 'sync/unknown-param',
      edits: [['reconcile: { every: P1D }', 'reconcile: { every: P1D, params: { «limt»: 1 } }']],
    },
    {
      rule: 'sync/required-param',
      edits: [
        [
          ', action: list, parent: { entity: customers, bind: { customer: $.id }, changed_only: true } }',
          ', action: «list» }',
        ],
      ],
    },
    {
      rule: 'sync/unknown-parent',
      edits: [['parent: { entity: customers', 'parent: { entity: «custmers»']],
      hint: 'did you mean "customers"?',
    },
    {
      rule: 'sync/parent-without-sync',
      edits: [['parent: { entity: customers', 'parent: { entity: «plans»']],
    },
    {
      rule: 'sync/changed-only-without-effect',
      edits: [
        [
          '      cursor: { field: updated, since: since, lookback: PT5M }\n      reconcile: { every: P1D }\n',
          '',
        ],
        ['changed_only: true', '«changed_only»: true'],
      ],
    },
    {
      rule: 'sync/cursor-without-effect',
      edits: [['cursor: { field: updated, since: since,', '«cursor»: { field: updated,']],
    },
    {
      rule: 'sync/reconcile-without-effect',
      edits: [['action: list, parent', 'action: list, «reconcile»: { every: P1D }, parent']],
    },
    {
      rule: 'sync/full-without-effect',
      edits: [['action: list, parent', 'action: list, «full»: P7D, parent']],
    },
    {
      rule: 'sync/unknown-field',
      edits: [['primary_key: id\n', 'primary_key: «idd»\n']],
      hint: 'did you mean "id"?',
    },
    {
      rule: 'sync/unknown-field',
      edits: [['primary_key: [id,', 'primary_key: [«idd»,']],
      hint: 'did you mean "id"?',
    },
    {
      rule: 'sync/unknown-field',
      edits: [['field: updated', 'field: «updatd»']],
      hint: 'did you mean "updated"?',
    },
    {
      rule: 'sync/unknown-field',
      edits: [['ignore: [balance]', 'ignore: [«balanse»]']],
      hint: 'did you mean "balance"?',
    },
    {
      rule: 'sync/parent-cycle',
      edits: [
        [
          'params: { limit: 100 }',
          'params: { limit: 100 }\n      parent: { entity: «orders», bind: { name: $.customer } }',
        ],
      ],
    },
    { rule: 'sync/touches-no-copy', edits: [['touches: customers', 'touches: «plans»']] },
    {
      rule: 'sync/touches-no-copy',
      edits: [['touches: customers', 'touches: «custmers»']],
      hint: 'did you mean "customers"?',
    },
  ],
  search: [
    {
      rule: 'path/nearly-declared',
      edits: [
        [
          'fields: [id, name, balance, updated], add: { string: [city] }',
          'fields: { string: [id, name, «nane», updated], number: [balance] }, add: { string: [city] }',
        ],
      ],
      hint: 'did you mean "name"?',
    },
    {
      rule: 'search/unknown-field',
      edits: [['fields: [id, name, balance,', 'fields: [id, name, «balanse»,']],
      hint: 'did you mean "balance"?',
    },
    {
      rule: 'search/unknown-field',
      edits: [['from: { city:', 'from: { «citty»:']],
      hint: 'did you mean "city"?',
    },
    {
      rule: 'search/unknown-field',
      edits: [['from: { city:', 'unfilled: { «citty»: not sent }, from: { city:']],
      hint: 'did you mean "city"?',
    },
    {
      rule: 'search/unknown-field',
      edits: [['order: [updated]', 'order: [«updatd.at»]']],
      hint: 'did you mean "updated"?',
    },
    {
      rule: 'search/field-type',
      edits: [['total: { type: integer }', '«total»: { type: [integer, object] }']],
    },
    {
      rule: 'search/field-type',
      edits: [
        ['balance: { type: number }', 'balance: { type: [string, number] }'],
        ['fields: [id, name, balance,', 'fields: [id, name, «balance»,'],
      ],
    },
    {
      rule: 'search/field-twice',
      edits: [
        [
          'fields: [id, name, balance, updated]',
          'fields: { string: [id, name, updated], number: [balance, «name»] }',
        ],
      ],
    },
  ],
  names: [
    { rule: 'names/reserved', edits: [['  plans:\n', '  «preview»:\n']] },
    { rule: 'names/file', edits: [['type: acme,', 'type: «acme-crm»,']] },
    {
      rule: 'names/icon-letters',
      edits: [['title: Acme, version', 'title: Acme, icon: { letters: «Ca» }, version']],
    },
    {
      rule: 'names/unused-shape',
      edits: [['shapes:\n', 'shapes:\n  «spare»: { type: string }\n']],
    },
    { rule: 'names/unused-map', edits: [['maps:\n', 'maps:\n  «spare»: { a: b }\n']] },
    {
      rule: 'names/unused-setting',
      edits: [['    account: {', '    «spare»: { type: string }\n    account: {']],
    },
    {
      rule: 'check/unknown-entity',
      edits: [['check: { entity: customers', 'check: { entity: «custmers»']],
      hint: 'did you mean "customers"?',
    },
    {
      rule: 'check/unknown-action',
      edits: [
        [
          'check: { entity: customers, action: list',
          'check: { entity: customers, action: «api_search»',
        ],
      ],
    },
    {
      rule: 'check/unknown-param',
      edits: [['action: list, params: { limit: 1 }', 'action: list, params: { «limt»: 1 }']],
      hint: 'did you mean "limit"?',
    },
    {
      rule: 'check/required-param',
      edits: [
        [
          'check: { entity: customers, action: list, params: { limit: 1 } }',
          'check: { entity: orders, action: «list» }',
        ],
      ],
    },
    {
      rule: 'check/required-param',
      edits: [
        [
          'check: { entity: customers, action: list, params: { limit: 1 } }',
          'check: { entity: orders, action: list, «params»: { page: 1 } }',
        ],
      ],
    },
    {
      rule: 'check/writes',
      edits: [
        [
          'check: { entity: customers, action: list, params: { limit: 1 } }',
          'check: { entity: customers, action: «create», params: { name: x } }',
        ],
      ],
    },
  ],
  webhooks: [
    {
      rule: 'webhooks/unknown-entity',
      edits: [['entity: orders, record', 'entity: «order», record']],
      hint: 'did you mean "orders"?',
    },
    {
      rule: 'webhooks/unknown-param',
      edits: [['get: { id: $.new.id }', 'get: { «idd»: $.new.id }']],
      hint: 'did you mean "id"?',
    },
    {
      rule: 'webhooks/unknown-param',
      edits: [['params: { customer: $.buyer.id }', 'params: { «customr»: $.buyer.id }']],
      hint: 'did you mean "customer"?',
    },
    {
      rule: 'webhooks/missing-param',
      edits: [['get: { id: $.new.id }', '«get»: { region: $.new.region }']],
    },
    {
      rule: 'webhooks/no-get',
      edits: [['record: $.order, params: { customer: $.buyer.id }', '«get»: { id: $.order.id }']],
    },
    {
      rule: 'webhooks/key-parts',
      edits: [['removed: $.old.id', '«removed»: [$.old.id, $.old.region]']],
    },
    {
      rule: 'webhooks/no-copy',
      edits: [
        [
          'entity: orders, record: $.order, params: { customer: $.buyer.id }',
          'entity: «plans», record: $.plan',
        ],
      ],
    },
    {
      rule: 'auth/sign-unsent',
      edits: [
        ['{{ request.timestamp }},{{ signature }}', '{{ signature }}'],
        ['of: "{{ request.timestamp }}.{{', 'of: «"{{ request.timestamp }}.{{ request.body }}"» #'],
      ],
    },
    {
      rule: 'webhooks/no-secret',
      edits: [
        [
          'key: "{{ default webhook.secret subscription.secret client.secret }}"',
          'key: «constant»',
        ],
        [', key: "{{ subscription.secret }}"', ''],
      ],
      hint: 'use {{ webhook.secret }}, or a credential',
    },
    {
      rule: 'webhooks/body-unsigned',
      edits: [
        ['of: "{{ request.timestamp }}.{{ request.body }}"', 'of: «"{{ request.timestamp }}"»'],
      ],
    },
    {
      rule: 'expression/unknown-path',
      edits: [['{{ default webhook.secret', '{{ default «webhook.sekret»']],
      hint: 'did you mean "secret"?',
    },
    {
      rule: 'expression/unknown-path',
      edits: [['{{ event.query.challenge }}', '{{ «event.params.challenge» }}']],
      hint: 'known: method, query, headers, body',
    },
    {
      rule: 'path/root-out-of-place',
      edits: [['id: $headers.x-id', 'id: «$link.next»']],
    },
    {
      rule: 'webhooks/may-double',
      edits: [
        [
          '    create:\n      request: { http: POST /hooks',
          '    «create»:\n      request: { http: POST /hooks',
        ],
        [
          '    find: { request: { http: GET /hooks }, from: $.hooks, pagination: { type: none, reason: few }, match: { $.url: "{{ webhook.url }}" }, store: { id: $.id } }\n',
          '',
        ],
      ],
      hint: 'repeatable: true',
    },
    {
      rule: 'webhooks/never-renewed',
      edits: [
        ['      ttl: 30d\n', ''],
        ['    renew: { request: { http: "PUT', '    «renew»: { request: { http: "PUT'],
      ],
    },
    {
      rule: 'webhooks/find-lacks',
      edits: [
        ['    find: { request', '    «find»: { request'],
        [
          'match: { $.url: "{{ webhook.url }}" }, store: { id: $.id } }',
          'match: { $.url: "{{ webhook.url }}" } }',
        ],
      ],
      hint: 'store: { id: $.',
    },
    {
      rule: 'webhooks/find-pages',
      edits: [
        ['    find: { request', '    «find»: { request'],
        [' pagination: { type: none, reason: few },', ''],
      ],
      hint: 'type: none',
    },
    {
      rule: 'webhooks/find-pages',
      edits: [
        ['find: { request: {', 'find: { «request»: {'],
        ['{ type: none, reason: few }', '{ type: page, param: page }'],
      ],
      hint: '{ page: "{{ params.page }}" }',
    },
    {
      rule: 'webhooks/find-pages',
      edits: [
        [
          '{ type: none, reason: few }',
          '{ type: link, param: p, next: $link.next, «size»: limit }',
        ],
      ],
      hint: 'page size',
    },
    {
      rule: 'webhooks/secret-unused',
      edits: [
        [
          '    create:\n      request: { http: POST /hooks',
          '    «create»:\n      request: { http: POST /hooks',
        ],
        ['webhook.secret subscription.secret', 'webhook.secret'],
      ],
    },
    {
      rule: 'webhooks/secret-unknown',
      edits: [
        [
          '    create:\n      request: { http: POST /hooks',
          '    «create»:\n      request: { http: POST /hooks',
        ],
        [', key: "{{ subscription.secret }}"', ''],
      ],
    },
    {
      rule: 'expression/unknown-path',
      edits: [['"PUT /hooks/{{ subscription.id }}"', '"PUT /hooks/{{ «subscription.name» }}"']],
      hint: 'known: secret, id',
    },
    {
      rule: 'path/root-out-of-place',
      edits: [['from: $.hooks', 'from: «$headers.hooks»']],
    },
  ],
  sandbox: [
    {
      rule: 'sandbox/one-way-path',
      edits: [['{ records: $.data.orders }', '{ records: «"$.data.pages[*].orders"» }']],
    },
    { rule: 'sandbox/one-way-path', edits: [['pages: $.pages', 'pages: «"$.pages[-1]"»']] },
  ],
}
