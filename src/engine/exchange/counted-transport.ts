// Requests that no caller waits in line for, counted: logins, exchanges of tokens, look-ups behind them.
import type { Budget } from './budget.ts'
import type { Transport } from './transport.ts'

/**
 * The same transport; every request is taken off the budget and never held up. A token has to be renewed although the
 * rate is used up, or the connection is lost; the calls behind it wait the longer.
 */
export function countedTransport(transport: Transport, budget: Pick<Budget, 'spend'>): Transport {
  return {
    send(request, options) {
      budget.spend()
      return transport.send(request, options)
    },
    stream(request, options) {
      budget.spend()
      return transport.stream(request, options)
    },
    close: () => transport.close(),
  }
}
