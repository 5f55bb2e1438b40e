import type { IncomingMessage, ServerResponse } from "node:http"
import type { Gateway } from "../../modules/gateway/container"
import type { ProcessServices } from "../process-services"
import type { PageRoute } from "./routes"

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
