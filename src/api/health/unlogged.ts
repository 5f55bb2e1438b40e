import type { MedusaRequest } from "@medusajs/framework/http"

/** Medusa's access log leaves out its own health check, by this path, and looks when the answer is out. */
const UNLOGGED = "/health"

/** Keeps a probe out of the access log: several processes are each asked every few seconds. */
export function leaveUnlogged(request: MedusaRequest): void {
  request.url = UNLOGGED
}
