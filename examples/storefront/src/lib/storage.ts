/**
 * localStorage that never throws. Some browsers refuse it (private windows, blocked cookies):
 * then the shop still works, until the page is reloaded.
 */
const memory = new Map<string, string>()

export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    memory.set(key, value)
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    memory.delete(key)
  }
}
