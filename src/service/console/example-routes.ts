// /examples: of the sandbox, parameters to try an operation with.
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { json, type Route, routes } from '../route.ts'
import * as s from '../routes/schemas.ts'

/** Parameters with which an operation succeeds at the local vendor, as that is now; null: it has no such operation. */
export type ExampleOf = (connectorType: string, operation: string) => JsonObject | null

export function exampleRoutes(exampleOf: ExampleOf): readonly Route[] {
  return routes('application', [
    {
      name: 'consoleExample',
      at: 'GET /examples/{connector_type}',
      summary: 'Parameters with which an operation succeeds in the sandbox',
      query: s.closed(
        { operation: { ...s.TEXT, description: 'Entity and action, such as issues.get.' } },
        ['operation'],
      ),
      success: s.answersWith(200, 'The parameters.', { params: { type: 'object' } }),
      errors: ['operation_unknown'],
      handle: async ({ path, query }) => {
        const { connector_type: type = '' } = path
        const { operation = '' } = query
        const params = exampleOf(type, operation)
        if (params === null)
          throw new ConnectorError(
            'operation_unknown',
            `the local vendor of ${type} has no operation "${operation}"`,
          )
        return json(200, { params })
      },
    },
  ])
}
