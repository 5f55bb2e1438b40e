import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { servicesOf } from "../store-services"
import type { PageExchange, PageGate } from "./request"

/* The pages in Medusa's router: the only file of them that knows Medusa's requests. */

declare module "express-serve-static-core" {
  interface Request {
    gatewayPage: PageExchange
  }
}

/** A gate as a middleware: the routes below it are called with what it has found. */
export function inMedusa(gate: PageGate) {
  return async function enterPage(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction) {
    request.gatewayPage = { services: servicesOf(request.scope), target: request.originalUrl, route: null, params: {} }
    await gate(request, response, next)
  }
}
