import { fits, paramsIn, routeFilesBelow, type RouteFile } from "../route-files"
import type { FoundPage, Page, PageRoute } from "./request"

const METHODS = ["GET", "POST"] as const

/** Their route files are pages, or addresses for programs that the same gates answer. */
const FOLDERS = ["pay", "portal", "gateway", "health"]

let found: readonly RouteFile<Page>[] | undefined

/** The route files of all pages. A brace comes behind letters, and so a parameter behind a fixed name that it could be. */
export function pageFiles(): readonly RouteFile<Page>[] {
  found ??= FOLDERS.flatMap((folder) => routeFilesBelow<Page>(folder)).sort((a, b) => (a.path < b.path ? -1 : 1))
  return found
}

/** The page at a path, with what its route file exports for such parameters; null when there is no such page. */
export function findPage(path: string): FoundPage | null {
  const segments = path.split("/")
  for (const file of pageFiles().filter((one) => fits(one.segments, segments))) {
    const params = paramsIn(file.segments, segments)
    const exported = file.exports()
    const methods = METHODS.filter((method) => admits(exported[method], params))
    if (methods.length > 0) {
      return { route: { path: file.path, handlers: exported, methods }, params }
    }
  }
  return null
}

/** A parameter without a pattern has no page. */
function admits(page: Page | undefined, params: Readonly<Record<string, string>>): boolean {
  return page !== undefined && Object.entries(params).every(([name, value]) => page.params?.[name]?.test(value))
}

/** What the route answers, HEAD included: as Allow says it. */
export function methodsIn({ methods }: PageRoute): readonly string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}
