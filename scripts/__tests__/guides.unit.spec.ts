import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { ERROR_TABLE } from "../../src/modules/gateway/kernel/errors"

const ROOT = resolve(__dirname, "../..")
const GUIDES = join(ROOT, "docs/guides")
const guides = readdirSync(GUIDES).filter((name) => name.endsWith(".md"))
const textOf = (name: string) => readFileSync(join(GUIDES, name), "utf8")

describe("the guides", () => {
  it("errors.md says of every code why, and what to do", () => {
    const rows = [...textOf("errors.md").matchAll(/^\| `([A-Z_]+)` \| (.+) \| (.+) \|$/gm)]
    expect(rows.map(([, code]) => code).sort()).toEqual(Object.keys(ERROR_TABLE).sort())
    expect(rows.filter(([, , why, fix]) => why.length < 10 || fix.length < 10).map(([, code]) => code)).toEqual([])
  })

  it("the README links to each of them", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8")
    expect(guides.length).toBeGreaterThanOrEqual(10)
    expect(guides.filter((name) => !readme.includes(`](docs/guides/${name})`))).toEqual([])
  })

  it("their links lead to files that are there", () => {
    const links = guides.flatMap((name) =>
      [...textOf(name).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({ name, to }))
    )
    expect(links.length).toBeGreaterThan(10)
    expect(links.filter(({ to }) => !existsSync(join(GUIDES, to)))).toEqual([])
  })
})
