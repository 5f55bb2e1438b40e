import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { everyRoute } from "../routes"

const ROOT = resolve(__dirname, "../../../..")
const API = join(ROOT, "src/api")
const V2 = "/api/v2"

const filesBelow = (folder: string, kind: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => kind.test(file) && !file.includes("__tests__"))
    .map((file) => join(folder, file))

/** Files write parameters as `[id]`, the contract as `{id}`, other texts as `:id` or `<id>`. */
const shapeOf = (path: string) =>
  path
    .split("/")
    .map((part) => (/^[[{:<]/.test(part) ? "*" : part))
    .join("/")

/** `METHOD path` of every route: of files, and the contract's paths below their base URL too. */
function routes(): Set<string> {
  const found = new Set<string>()
  for (const file of filesBelow(API, /(^|\/)route\.ts$/)) {
    const path = file.slice(API.length).replace(/\/route\.ts$/, "")
    for (const [, method] of readFileSync(file, "utf8").matchAll(
      /export (?:const|async function|function) (GET|POST|PATCH|PUT|DELETE)\b/g
    )) {
      found.add(`${method} ${shapeOf(path)}`)
    }
  }
  for (const { method, path } of everyRoute()) {
    found.add(`${method} ${shapeOf(path)}`)
  }
  return found
}

type Named = { file: string; named: string }
const OURS = /^\/(api\/v2|sandbox|admin\/gateway|store\/gateway|gateway|pay|payments|merchants|webhooks|events)(\/|$)/

/** Each `METHOD /path` in a text, as `GET /payments/verify/{transaction_id}`; Medusa's own paths are not checked. */
function namedIn(file: string): Named[] {
  const named = readFileSync(file, "utf8").matchAll(
    /\b(GET|POST|PATCH|PUT|DELETE) `?((?:\/(?:<\w+>|[A-Za-z0-9_{}[\]:.-]+))+)/g
  )
  return [...named]
    .map(([, method, path]): [string, string] => [method, path.replace(/[/:.]+$/, "")])
    .filter(([, path]) => OURS.test(path))
    .map(([method, path]) => ({ file: file.slice(ROOT.length + 1), named: `${method} ${path}` }))
}

describe("every route that a message, a comment or a page of the docs names is there", () => {
  const known = routes()
  const texts = [
    ...filesBelow(join(ROOT, "src"), /\.tsx?$/),
    ...filesBelow(join(ROOT, "docs"), /\.md$/),
    join(ROOT, "README.md"),
    join(ROOT, "CONTRIBUTING.md"),
  ]
  const isKnown = (named: string) => {
    const [method, path] = shapeOf(named).split(" ")
    return known.has(`${method} ${path}`) || known.has(`${method} ${path.replace(/^\/sandbox(?=\/api\/v2)/, "")}`)
  }

  it("finds routes, and texts that name some", () => {
    expect(known.size).toBeGreaterThan(150)
    expect(texts.flatMap(namedIn).length).toBeGreaterThan(30)
    expect(known).toContain(`GET ${V2}/payments/verify/*`)
    expect(isKnown("GET /admin/gateway/merchants")).toBe(false)
  })

  it("none leads nowhere", () => {
    expect(texts.flatMap(namedIn).filter(({ named }) => !isKnown(named))).toEqual([])
  })
})
