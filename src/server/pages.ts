import type { IncomingMessage, ServerResponse } from "node:http"
import { PAGE_AREAS, type PageArea } from "../api/pages"
import type { PageHandler, PageRequest } from "../api/page-kit/request"
import type { PageRoute } from "../api/page-kit/routes"
import type { ProcessServices } from "../api/process-services"
import { routeFile } from "../api/route-files"
import { withoutOrigin } from "../api/v2-kit/target"

type Loaded = PageArea & { handlers: ReadonlyMap<PageRoute, Partial<Record<string, PageHandler>>> }

/** Answers a request below one of the areas' roots; null: the target is elsewhere. */
export type Pages = (target: string) => null | ((request: IncomingMessage, response: ServerResponse) => Promise<void>)

/** The pages without Medusa's router: the same gates before the handlers of the same route files. */
export function pagesOf(services: ProcessServices): Pages {
  const areas = PAGE_AREAS.map(loaded)
  return (target) => {
    const area = areas.find(({ root }) => isBelow(root, target))
    return area === undefined ? null : (request, response) => answer(area, services, request, response)
  }
}

function isBelow(root: string, target: string): boolean {
  const path = withoutOrigin(target)
  return path.slice(0, root.length).toLowerCase() === root && /^(?:[/?#]|$)/.test(path.slice(root.length))
}

async function answer(
  area: Loaded,
  services: ProcessServices,
  incoming: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const gatewayPage: PageRequest["gatewayPage"] = { services, target: incoming.url ?? "/", route: null, params: {} }
  const request = Object.assign(incoming, { gatewayPage })
  await area.gate(request, response, async () => {
    const { route } = gatewayPage
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "")
    await (route && area.handlers.get(route)?.[method]?.(request, response))
  })
}

/** Throws when a route's file, or one of its methods, is missing. */
function loaded(area: PageArea): Loaded {
  const handlers = new Map(area.routes.map((route) => [route, handlersOf(route)]))
  return { ...area, handlers }
}

function handlersOf({ path, methods }: PageRoute): Partial<Record<string, PageHandler>> {
  const handlers = routeFile<PageHandler>(path)
  const missing = methods.find((method) => handlers[method] === undefined)
  if (missing !== undefined) {
    throw new Error(`${path} has no ${missing}`)
  }
  return handlers
}
