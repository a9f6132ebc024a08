// The service's log: JSON lines with the request's facts. Secrets, params and bodies are never handed to it.

/** Facts may be read later than they are told: nobody changes them afterwards. */
export interface ServiceLog {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export const SILENT_LOG: ServiceLog = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}
