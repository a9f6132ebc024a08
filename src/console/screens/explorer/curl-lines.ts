// curl for people to read.

/** The same command with a line for each option. */
export function curlLines(curl: string): string {
  return curl.replaceAll(/ (?=(?:-H|--data-raw|--data-binary|-F) )/g, ' \\\n  ')
}
