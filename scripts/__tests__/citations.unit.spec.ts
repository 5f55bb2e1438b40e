import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

/* Comments and names of tests cite `docs/decisions/05`, `contract 4.2`, `decisions: Checkout` and `design: RBAC`. */

const ROOT = resolve(__dirname, "../..")
const pages = readdirSync(join(ROOT, "docs/decisions")).map((name) => name.slice(0, 2))
const headings = [...readFileSync(join(ROOT, "docs/specification.md"), "utf8").matchAll(/^#+ (.+)$/gm)].map(
  ([, text]) => text
)
const numbers = headings.map((text) => text.split(" ")[0])

const texts = ["src", "integration-tests", "scripts", "lab", "examples/storefront/src"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs|cjs)$/.test(name) && !/(^|\/)(node_modules|generated)\//.test(name))
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(ROOT, folder, name), "utf8") }))
    .filter(({ file }) => !file.endsWith("citations.unit.spec.ts"))
)

/** What a pattern's first group finds, with where. */
const cited = (pattern: RegExp) =>
  texts.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, what]) => ({ file, what })))

describe("what comments and tests cite is in docs", () => {
  it("pages of docs/decisions", () => {
    const found = cited(/\bdecisions\/(\d+)/g)
    expect(found.length).toBeGreaterThan(300)
    expect(found.filter(({ what }) => !pages.includes(what))).toEqual([])
    expect(pages.length).toBeLessThanOrEqual(30)
  })

  it("sections of the contract, in docs/specification.md", () => {
    const found = cited(/\b[Cc]ontract (\d(?:\.\d+)?)/g)
    expect(found.length).toBeGreaterThan(200)
    expect(found.filter(({ what }) => !numbers.includes(what))).toEqual([])
  })

  it.each([
    ["decisions", 300],
    ["design", 5],
  ])("topics after `%s:`", (word, least) => {
    const found = cited(new RegExp(`\\b${word}: ([A-Z][A-Za-z]+)(?![A-Za-z]*\\[)`, "g"))
    expect(found.length).toBeGreaterThan(least)
    expect(found.filter(({ what }) => !headings.some((heading) => heading.split(/[ ,]/)[0] === what))).toEqual([])
  })
})
