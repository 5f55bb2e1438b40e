import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { AREAS } from "../../../api/admin-kit/areas"
import { areaOfPage, hidingStyle, PAGE_AREAS, pagesFor } from "../pages"

const ADMIN = join(__dirname, "../..")
const ROUTES = join(ADMIN, "routes")

const sourceOf = (file: string) => readFileSync(file, "utf8")

/** The files of the admin that a file imports values from. */
function importedBy(file: string): string[] {
  return [...sourceOf(file).matchAll(/^import (?!type )[\s\S]*?from "(\.[^"]+)"/gm)]
    .map(([, path]) => join(dirname(file), path))
    .map((path) => [`${path}.ts`, `${path}.tsx`].find((one) => existsSync(one)) ?? "")
    .filter((path) => path.startsWith(ADMIN))
}

/** The areas that the requests of a file name, as the first segment of their paths. */
function areasIn(file: string): string[] {
  const paths = [...sourceOf(file).matchAll(/[`"]\/([a-z-]+)[/`"?$]/g)].map(([, segment]) => segment)
  return paths.filter((segment) => Object.keys(AREAS).includes(segment))
}

/** What a page asks for: by its own file, otherwise by the nearest of the files that it imports. */
function areasReadBy(page: string): string[] {
  for (let files = [page], depth = 0; depth < 4; depth++) {
    const areas = files.flatMap(areasIn)
    if (areas.length > 0) {
      return areas
    }
    files = files.flatMap(importedBy)
  }
  return []
}

const pages = readdirSync(ROUTES, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("page.tsx"))
  .map((file) => ({ path: `/${dirname(file)}`, file: join(ROUTES, file) }))

describe("decision 19: a page belongs to the area that it reads", () => {
  it("knows the pages", () => {
    expect(pages.length).toBeGreaterThan(40)
    const paths = pages.map(({ path }) => path)
    expect(Object.keys(PAGE_AREAS).filter((path) => !paths.includes(path))).toEqual([])
  })

  // The index of a group of tabs reads nothing: it leads to the first of them.
  it.each(pages.filter(({ file }) => !sourceOf(file).includes("<Navigate")))("$path", ({ path, file }) => {
    const area = areaOfPage(path)
    expect([relative(ROUTES, file), areasReadBy(file)]).toEqual([
      relative(ROUTES, file),
      expect.arrayContaining([area]),
    ])
  })

  it("and the menu's order is that of the pages", () => {
    const entries = pages.flatMap(({ path, file }) => {
      const config = /defineRouteConfig\(\{[^}]*rank: (\d+)/.exec(sourceOf(file))
      return config === null ? [] : [{ path, rank: Number(config[1]) }]
    })
    // Of the same rank the shorter path is first, as Medusa sorts them.
    entries.sort((one, other) => one.rank - other.rank || one.path.length - other.path.length)
    const listed = Object.keys(PAGE_AREAS).filter((path) => entries.some((entry) => entry.path === path))
    expect(listed).toEqual(entries.map(({ path }) => path))
    expect(entries.length).toBeGreaterThan(12)
  })
})

describe("decision 19: pages that an admin may not read leave the menu", () => {
  it.each([
    ["/gateway", "overview"],
    ["/gateway/payments?status=PENDING", "payments"],
    ["/gateway/payments/txn1?merchant_id=m", "payments"],
    ["/gateway/refunds/proposals?status=open", "refund-proposals"],
    ["/gateway/settlements/months/bkash/2026-10", "settlements"],
    ["/gateway/settings/acquirers", "acquirers"],
    ["/orders/order_1", undefined],
    ["/gateways", undefined],
    ["https://example.com/gateway", undefined],
  ])("%s belongs to %s", (to, area) => {
    expect(areaOfPage(to)).toBe(area)
  })

  it("hides nothing from who may read everything, and everything from who may read nothing", () => {
    const all = pagesFor(Object.keys(AREAS))
    expect(all).toEqual({ open: Object.keys(PAGE_AREAS), hidden: [] })
    expect(hidingStyle(all.hidden, "/app")).toBe("")
    const none = pagesFor([])
    expect(none.open).toEqual([])
    expect(hidingStyle(none.hidden, "/app")).toContain('aside nav a[href="/app/gateway"]')
    expect(hidingStyle(none.hidden, "/app")).toContain("button")
  })

  it("keeps the entry of the gateway, which leads to the first page that may be read", () => {
    const { open, hidden } = pagesFor(["refunds", "disputes"])
    expect(open[0]).toBe("/gateway/refunds")
    const style = hidingStyle(hidden, "/admin")
    expect(style).toContain('a[href="/admin/gateway/payments"]')
    expect(style).not.toContain('"/admin/gateway"')
    expect(style).not.toContain('"/admin/gateway/refunds"')
  })

  it("every link of the pages is one that checks the right to its page", () => {
    const files = readdirSync(ADMIN, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"))
    const own = files.filter((file) =>
      /import \{[^}]*\bLink\b[^}]*\} from "react-router-dom"/.test(sourceOf(join(ADMIN, file)))
    )
    expect(own).toEqual(["lib/ui/page-links.tsx"])
  })
})
