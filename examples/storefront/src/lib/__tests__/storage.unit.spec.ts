import { read, remove, write } from "../storage"

/** A browser's storage; `refuses` names the calls that throw. */
function useStorage(refuses: readonly string[], content: Record<string, string> = {}): Map<string, string> {
  const kept = new Map(Object.entries(content))
  const guarded =
    <Args extends unknown[], Answer>(name: string, call: (...args: Args) => Answer) =>
    (...args: Args) => {
      if (refuses.includes(name)) {
        throw new Error("QuotaExceededError")
      }
      return call(...args)
    }
  const localStorage = {
    getItem: guarded("getItem", (key: string) => kept.get(key) ?? null),
    setItem: guarded("setItem", (key: string, value: string) => kept.set(key, value)),
    removeItem: guarded("removeItem", (key: string) => kept.delete(key)),
  }
  Object.assign(globalThis, { localStorage })
  return kept
}

const ALL = ["getItem", "setItem", "removeItem"]

it("keeps what it is given in the browser's storage", () => {
  const kept = useStorage([])
  write("a", "1")
  expect([read("a"), kept.get("a")]).toEqual(["1", "1"])
  remove("a")
  expect([read("a"), kept.size]).toEqual([null, 0])
})

it("keeps it until the page is reloaded where the browser refuses everything", () => {
  useStorage(ALL)
  write("b", "1")
  expect(read("b")).toBe("1")
  remove("b")
  expect(read("b")).toBeNull()
})

it("reads what it wrote last from a full storage, which still has the old value", () => {
  useStorage(["setItem"], { c: "old" })
  write("c", "new")
  expect(read("c")).toBe("new")
  const kept = useStorage([], { c: "old" })
  write("c", "newer")
  expect([read("c"), kept.get("c")]).toEqual(["newer", "newer"])
})

it("what could not be removed is gone all the same", () => {
  useStorage(["removeItem"], { d: "1" })
  remove("d")
  expect(read("d")).toBeNull()
})
