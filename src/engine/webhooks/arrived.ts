// A delivery of a vendor as it arrived, and what its body says.
import type { Answer } from '../../language/expression/pick.ts'
import type { Json } from '../../language/json/json.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { SignedMessage } from '../../language/signing/request-facts.ts'

export interface ArrivedWebhook extends SignedMessage {
  /** By name; of a name that came several times the first value. */
  readonly query: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A delivery whose body is read when it is first looked at: nobody has said yet that it is from the vendor. */
export class Delivery {
  readonly arrived: ArrivedWebhook
  #body: { readonly value: Json | undefined } | null = null

  constructor(arrived: ArrivedWebhook) {
    this.arrived = arrived
  }

  /** The value of the body, of JSON or of a form; undefined: it is neither. */
  get body(): Json | undefined {
    this.#body ??= { value: readBody(this.arrived) }
    return this.#body.value
  }

  /** The delivery as `$` paths see it; `body`: one of its events. */
  answer(body: Json | undefined = this.body): Answer {
    const { headers, url } = this.arrived
    return { status: 0, headers, body, url }
  }
}

function readBody({ headers, body }: ArrivedWebhook): Json | undefined {
  if (body.length === 0) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
  const type = headers['content-type'] ?? ''
  return /^application\/x-www-form-urlencoded\b/i.test(type)
    ? Object.fromEntries(new URLSearchParams(text))
    : tryParseJson(text)
}
