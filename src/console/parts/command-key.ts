// What the key is called that commands are given with.

/** `⌘` on the devices of Apple, else `Ctrl`; both are heeded everywhere. */
export const COMMAND_KEY = /Macintosh|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
