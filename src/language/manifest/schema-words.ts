// What the patterns and the missing keywords of schemas/manifest.schema.json mean, in words.

/** What a value or name of each pattern of the schema is, as it ends "must be …"; and an example. */
export const PATTERN_WORDS: Readonly<
  Record<string, { readonly what: string; readonly example?: string }>
> = {
  '^[a-z][a-z0-9]*(-[a-z0-9]+)*$': {
    what: 'lower-case letters, digits and single hyphens, beginning with a letter',
    example: 'facebook-marketing',
  },
  '^[a-z][a-z0-9_]{0,63}$': {
    what: 'lower-case letters, digits and _, beginning with a letter, at most 64 of them',
    example: 'calls_extensive',
  },
  '^[a-z]{2}$': { what: 'a language, as two small letters', example: 'de' },
  '^[A-Za-z0-9]{1,2}$': { what: 'one or two letters or digits', example: 'Ji' },
  '^[A-Za-z0-9][A-Za-z0-9._-]*$': {
    what: 'letters, digits, dots, _ and -, beginning with a letter or a digit',
    example: 'crm-v2',
  },
  '^[A-Za-z][A-Za-z0-9_]*$': {
    what: 'letters, digits and _, beginning with a letter',
    example: 'contentSelector',
  },
  '^([1-9]\\d{0,3}|1[0-5]\\d{3}|16[0-2]\\d{2}|163[0-7]\\d|1638[0-4])KiB$|^([1-9]|1[0-6])MiB$': {
    what: 'a size of at most 16MiB',
    example: '8MiB',
  },
  '^[a-z][a-z0-9_]*\\.[a-z_]+$': { what: 'an entity and an action', example: 'lines.list' },
  '^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)*$': {
    what: 'a plain name, or several with dots',
    example: 'lines.nodes',
  },
  '^[A-Za-z_][A-Za-z0-9_-]*$': { what: 'a plain name', example: 'id' },
  '^[A-Za-z_][A-Za-z0-9_-]*\\??$': {
    what: 'a plain name, with ? at its end if it may be left out',
    example: 'nextPageToken?',
  },
  '^\\d+\\.\\d+\\.\\d+$': { what: 'a version of three numbers', example: '1.0.0' },
  '^[1-9]\\d*/(s|m|h|d)$': { what: 'a number per s, m, h or d', example: '3/s' },
  '^(P(\\d+[YMWD])+(T(\\d+(\\.\\d+)?[HMS])+)?|PT(\\d+(\\.\\d+)?[HMS])+|\\d+(ms|s|m|h|d))$': {
    what: 'a duration',
    example: '30s or PT30M',
  },
  '^\\$': { what: 'a path, which begins with $', example: '$.items' },
  '\\{\\{': {
    what: 'a template, with at least one {{ expression }}',
    example: '"{{ params.id }}"',
  },
  '^\\{\\{.*\\}\\}$': {
    what: 'one {{ expression }} when it is text',
    example: '"{{ params.items }}"',
  },
  '^[{\\[]': { what: 'a plain name' },
  '^(https://|\\{\\{)': { what: 'an https address', example: 'https://api.example.com/v1' },
  '^https://[^\\s{}]+$': {
    what: 'an https address without expressions',
    example: 'https://help.example.com/keys',
  },
  '^https://[^\\s?#@{}]+$': {
    what: 'an https address without a query, user information and expressions',
    example: 'https://login.example.com',
  },
  '^any$': { what: 'a list of hosts, or any', example: '[api.example.com, "*.example.com"]' },
  '^(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)+$': {
    what: 'a host name in lower case, with *. in front for any depth',
    example: '"*.example.com"',
  },
  '^(GET|HEAD|POST|PUT|PATCH|DELETE) (https://[a-z0-9-]+(\\.[a-z0-9-]+)+)?/[^?#]*$': {
    what: 'a method and a path without a query string',
    example: 'GET /v1/items/{{ params.id }}',
  },
  '^#/(shapes/[A-Za-z][A-Za-z0-9_]*|entities/[a-z][a-z0-9_]*/record)$': {
    what: 'a shape or the record of an entity',
    example: '"#/shapes/name" or "#/entities/name/record"',
  },
  '^(credentials|config|session)\\.[A-Za-z_][A-Za-z0-9_]*$': {
    what: 'a place in credentials, config or session',
    example: 'config.api_base_url',
  },
  '^config\\.[A-Za-z_][A-Za-z0-9_]*$': { what: 'a place in config', example: 'config.data_center' },
  '^[1-5]xx$': { what: 'a status, or a class of statuses', example: '404 or 4xx' },
  '^(network|timeout)$': { what: 'a status, network or timeout', example: '[429, 503, network]' },
  '^[A-Za-z][A-Za-z0-9-]*$': { what: 'the name of a header', example: 'Idempotency-Key' },
  '^([a-z]+|\\*)/([a-z0-9.+-]+|\\*)$': { what: 'a content type', example: 'audio/*' },
  '^-?(P(\\d+[YMWD])+(T(\\d+[HMS])+)?|PT(\\d+[HMS])+|\\d+[smhd])$': {
    what: 'a duration, with - for the past',
    example: '-30d',
  },
  '^(iso|epoch_s|epoch_ms|[yMdHmsSX/:. T-]+)$': {
    what: 'iso, epoch_s, epoch_ms or the letters of a date',
    example: 'yyyy-MM-dd',
  },
  '^(\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?|P\\d.*)$': {
    what: 'a date, or a duration back from now',
    example: '"2020-01-01" or P36M',
  },
}

const NOT_TYPED =
  'types cannot be made from it; list the alternatives in description, check them in refuse'

/** Keywords of JSON Schema that a manifest does not have, and what to write instead. */
export const UNREADABLE_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['title', 'write description'],
  ['$comment', 'write a YAML comment'],
  ['readOnly', 'leave it out'],
  ['examples', 'give an example in description'],
  ['nullable', 'write type: [string, "null"]'],
  ['if', NOT_TYPED],
  ['then', NOT_TYPED],
  ['else', NOT_TYPED],
  ['not', NOT_TYPED],
  ['contains', NOT_TYPED],
  ['propertyNames', NOT_TYPED],
  ['dependencies', NOT_TYPED],
  ['dependentRequired', NOT_TYPED],
  ['dependentSchemas', NOT_TYPED],
  ['patternProperties', 'write additionalProperties with one schema'],
  ['additionalItems', 'write items with one schema'],
  ['prefixItems', 'write items with one schema'],
  ['unevaluatedProperties', 'write additionalProperties'],
  ['unevaluatedItems', 'write items with one schema'],
  ['definitions', 'put the schema into shapes'],
  ['$defs', 'put the schema into shapes'],
  ['$id', 'put the schema into shapes'],
  ['$schema', 'leave it out; schemas are draft-07'],
  ['contentEncoding', 'write format: byte'],
  ['contentMediaType', 'say it in description'],
])
