import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import type { AuthRequest } from "../../modules/gateway/merchants/sign-in-limits"
import { addressOf } from "../v2-kit/target"

/** The last part of paths that cost work, or send an e-mail, even when they succeed. */
const COSTLY = ["register", "reset-password", "update", "request"]
/** The fields in which providers expect the account's name, the one of Medusa's own provider first. */
const NAMES = ["email", "identifier", "phone", "username"]

/**
 * Runs before Medusa's own routes under /auth, for every method: Medusa signs in by GET too. A limited visitor gets 429
 * in Medusa's error shape with Retry-After.
 */
async function limitSignIn(req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): Promise<void> {
  if (req.method === "OPTIONS") {
    next()
    return
  }
  const gateway = gatewayIn(req.scope)
  const request = authRequestOf(gateway, req)
  const seconds = await gateway.signInLimits.secondsToWait(request)
  if (seconds !== null) {
    res.set({ "Cache-Control": "no-store", "Retry-After": String(seconds) })
    res.status(429).json({ type: "too_many_requests", message: `Too many attempts: try again in ${seconds} seconds` })
    return
  }
  res.once("finish", () => {
    // A refusal stays counted. A server error is not the visitor's failure.
    if (res.statusCode < 400 || res.statusCode >= 500) {
      gateway.signInLimits.answered(request, res.statusCode < 400).catch((error: Error) => {
        req.scope
          .resolve(ContainerRegistrationKeys.LOGGER)
          .error(`gateway: a sign-in could not be uncounted: ${error.message}`)
      })
    }
  })
  next()
}

/**
 * `/auth/<actor type>/<provider>` tries a password, and so does `/register` below it: it accepts the password of an
 * account without an owner. Everything else is counted by its address.
 */
function authRequestOf(gateway: GatewayModuleService, req: MedusaRequest): AuthRequest {
  // What Express routes by: the target itself may be a whole URL, or have a fragment.
  const parts = req.path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded)
  const last = parts.at(-1)?.toLowerCase() ?? ""
  const name = parts.length === 2 || last === "register" ? nameIn(req.body) : null
  return {
    address: addressOf(gateway, req),
    account: name === null ? null : { provider: parts[1] ?? "", name },
    costsAnyway: COSTLY.includes(last),
  }
}

function nameIn(body: unknown): string | null {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>
  const name = NAMES.map((field) => fields[field]).find((value) => typeof value === "string" && value.trim() !== "")
  return (name as string | undefined) ?? null
}

/** As Express decodes a path's parameters: otherwise a provider would have two names. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What runs before Medusa's own routes; src/api/middlewares.ts combines it with the others. */
export const signInRoutes: MiddlewareRoute[] = [{ matcher: "/auth", middlewares: [limitSignIn] }]
