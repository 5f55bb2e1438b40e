import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const ADMIN = join(__dirname, "../..")
/** They define what changes something, and change nothing themselves. */
const HOOKS = ["lib/data.ts", "lib/use.ts"]

/** The calls of the hooks that change something, up to the closing bracket. */
function callsIn(source: string): string[] {
  return [...source.matchAll(/use(?:AdminMutation|EditForm)\b[^("]*\(/g)].map(({ index, 0: { length } }) => {
    let depth = 1
    let end = index + length
    for (; depth > 0 && end < source.length; end++) {
      depth += source[end] === "(" ? 1 : source[end] === ")" ? -1 : 0
    }
    return source.slice(index, end)
  })
}

const changes = readdirSync(ADMIN, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("__tests__") && !HOOKS.includes(file))
  .flatMap((file) => {
    const source = readFileSync(join(ADMIN, file), "utf8")
    return callsIn(source).map((call) => ({
      file,
      source,
      method: /method: "(\w+)"/.exec(call)?.[1] ?? "POST",
      area: /[`"]\/([a-z-]+)/.exec(call)?.[1],
    }))
  })
  .filter(({ method }) => method !== "GET")

describe("decision 19: what changes something is guarded by the area of its path", () => {
  it("knows the changes of the pages", () => {
    expect(changes.length).toBeGreaterThan(60)
  })

  it("in each file that makes a change", () => {
    const isGuarded = ({ source, area }: (typeof changes)[number]) =>
      area === undefined ? source.includes("area=") : source.includes(`area="${area}"`)
    expect(changes.filter((change) => !isGuarded(change)).map(({ file, area }) => [file, area])).toEqual([])
  })

  it("and what deletes by the right to delete", () => {
    const deletions = changes.filter(({ method }) => method === "DELETE")
    expect(deletions.length).toBeGreaterThan(4)
    expect(deletions.filter(({ source }) => !/^ *deletes$/m.test(source)).map(({ file }) => file)).toEqual([])
  })
})
