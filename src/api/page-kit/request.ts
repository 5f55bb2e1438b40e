import type { IncomingMessage, ServerResponse } from "node:http"
import type { Gateway } from "../../modules/gateway/container"
import type { ProcessServices } from "../process-services"

/** What is known of a request to a page, or to an address for acquirers, whatever framework took it. */
export type PageExchange = {
  services: ProcessServices
  /** The whole target, as sent. */
  target: string
  /** The route that the gate has found; null before. */
  route: PageRoute | null
  /** The parameters in its path; empty before. */
  params: Readonly<Record<string, string>>
}

/** The one argument that a page's handler reads. */
export type PageRequest = IncomingMessage & { gatewayPage: PageExchange }

/** Answers a request that a gate has let in. */
export type PageHandler = (request: PageRequest, response: ServerResponse) => Promise<void>

/** What the route file of a page exports for a method, with the patterns of the parameters in its path. */
export type Page = PageHandler & { params?: Readonly<Record<string, RegExp>> }

/**
 * A page whose path has parameters: `export const GET = page({ token: LINK_TOKEN }, …)` in the route file at its path.
 * Where a parameter does not match its pattern, there is no such page, or it has no such method.
 */
export function page(params: Readonly<Record<string, RegExp>>, handler: PageHandler): Page {
  return Object.assign(handler, { params })
}

/** A path with parameters in braces, and the methods that its route file has for those of a request. */
export type PageRoute = {
  path: string
  methods: readonly ("GET" | "POST")[]
  handlers: Partial<Record<string, PageHandler>>
}

export type FoundPage = { route: PageRoute; params: Readonly<Record<string, string>> }

/** Runs before every route below a root: answers what none of them handles, and calls `next` for the others. */
export type PageGate = (request: PageRequest, response: ServerResponse, next: () => unknown) => Promise<void>

export function gatewayOf({ gatewayPage }: PageRequest): Gateway {
  return gatewayPage.services.gateway
}

/** The path of the target, as sent. */
export function pathOf({ gatewayPage }: PageRequest): string {
  return gatewayPage.target.split("?")[0]
}

/** One query parameter; repeated or nested ones count as absent. */
export function queryValue({ gatewayPage }: PageRequest, name: string): string | null {
  const values = new URLSearchParams(gatewayPage.target.split("?")[1] ?? "").getAll(name)
  return values.length === 1 ? values[0] : null
}
