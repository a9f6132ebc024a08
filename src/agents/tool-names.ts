// Names of tools, as every provider allows them.

export interface ToolNames {
  /** A name that no other tool has; the same parts in the same order give the same names. */
  nameOf(...parts: readonly string[]): string
}

/** Source: OpenAI, function definitions, and Anthropic, "Define tools": `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX_NAME = 64

/** Names made of parts: `jira_issues_get`. A name that is too long or taken ends in a number. */
export function toolNames(): ToolNames {
  const taken = new Set<string>()
  return {
    nameOf(...parts) {
      const whole = parts.filter((part) => part !== '').join('_')
      let name = whole.slice(0, MAX_NAME)
      for (let number = 2; taken.has(name); number++) {
        const end = `_${number}`
        name = whole.slice(0, MAX_NAME - end.length) + end
      }
      taken.add(name)
      return name
    },
  }
}
