/**
 * The browser's storage, except that it never throws. Some browsers refuse it (private windows, blocked cookies): then
 * the shop still works until the page is reloaded.
 */
function open(pick: () => Storage) {
  /** What the storage did not take; null: what it did not remove. A full storage can be read, and still has the old. */
  const memory = new Map<string, string | null>()
  const change = (key: string, value: string | null, store: (storage: Storage) => void) => {
    try {
      store(pick())
      memory.delete(key)
    } catch {
      memory.set(key, value)
    }
  }
  return {
    read(key: string): string | null {
      const kept = memory.get(key)
      if (kept !== undefined) {
        return kept
      }
      try {
        return pick().getItem(key)
      } catch {
        return null
      }
    },
    write: (key: string, value: string): void => change(key, value, (storage) => storage.setItem(key, value)),
    remove: (key: string): void => change(key, null, (storage) => storage.removeItem(key)),
  }
}

/** Kept until removed, for every tab of the shop. */
export const { read, write, remove } = open(() => localStorage)
