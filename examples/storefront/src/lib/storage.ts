/**
 * The browser's storage, except that it never throws. Some browsers refuse it (private windows, blocked cookies): then
 * the shop still works until the page is reloaded.
 */
function open(pick: () => Storage) {
  const memory = new Map<string, string>()
  return {
    read(key: string): string | null {
      try {
        return pick().getItem(key)
      } catch {
        return memory.get(key) ?? null
      }
    },
    write(key: string, value: string): void {
      try {
        pick().setItem(key, value)
      } catch {
        memory.set(key, value)
      }
    },
    remove(key: string): void {
      try {
        pick().removeItem(key)
      } catch {
        memory.delete(key)
      }
    },
  }
}

/** Kept until removed, for every tab of the shop. */
export const { read, write, remove } = open(() => localStorage)
