/**
 * A path with the methods that its route file exports. Medusa's folders have the same parameters, in brackets. A
 * parameter that does not match its pattern has no such page.
 */
export type PageRoute = {
  path: string
  methods: readonly ("GET" | "POST")[]
  params?: Readonly<Record<string, RegExp>>
}

export type FoundPage = { route: PageRoute; params: Readonly<Record<string, string>> }

/** The route at a path, with its parameters; null when there is no such page. Segments are compared undecoded. */
export function findPage(routes: readonly PageRoute[], path: string): FoundPage | null {
  const segments = path.split("/")
  for (const route of routes) {
    const params = paramsOf(route, segments)
    if (params !== null) {
      return { route, params }
    }
  }
  return null
}

function paramsOf({ path, params: patterns = {} }: PageRoute, segments: readonly string[]) {
  const template = path.split("/")
  if (template.length !== segments.length) {
    return null
  }
  const params: Record<string, string> = {}
  for (const [index, part] of template.entries()) {
    const segment = segments[index]
    if (part.startsWith("{")) {
      const name = part.slice(1, -1)
      if (!patterns[name].test(segment)) {
        return null
      }
      params[name] = segment
    } else if (part !== segment) {
      return null
    }
  }
  return params
}

/** What the route answers, HEAD included: as Allow says it. */
export function methodsIn({ methods }: PageRoute): readonly string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}
