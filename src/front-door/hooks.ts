import type { IncomingMessage, ServerResponse } from "node:http"

/** As an Express middleware: it calls `next`, or answers. `next(error)` makes the answer 500. */
export type GatewayMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void
) => unknown

const MIDDLEWARES: GatewayMiddleware[] = []

/**
 * Runs a host's middleware before every request that the gateway answers itself (docs/hosts.md): Medusa's do not run
 * there. Call it once, in src/api/middlewares.ts. Returns what removes it.
 */
export function beforeGateway(middleware: GatewayMiddleware): () => void {
  MIDDLEWARES.push(middleware)
  return () => void MIDDLEWARES.splice(MIDDLEWARES.indexOf(middleware), 1)
}

/** Whether the gateway is to answer: no middleware has, and the client is still there. Throws what one passes on. */
export async function letIn(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  for (const middleware of MIDDLEWARES) {
    await new Promise<void>((done, failed) => {
      // One that answers calls nothing.
      response.once("close", done)
      const next = (error?: unknown) => (error === undefined ? done() : failed(error as Error))
      Promise.resolve(middleware(request, response, next)).catch(failed)
    })
    if (response.headersSent || response.destroyed) {
      return false
    }
  }
  return true
}
