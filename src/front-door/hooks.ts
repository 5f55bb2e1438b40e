import type { IncomingMessage, ServerResponse } from "node:http"

/** As an Express middleware: it calls `next`, or answers. `next(error)` makes the answer 500. */
export type GatewayMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void
) => unknown

const MIDDLEWARES = new Set<GatewayMiddleware>()

/**
 * Runs a host's middleware before every request that the gateway answers itself (docs/hosts.md): Medusa's do not run
 * there. Call it once, in src/api/middlewares.ts. Returns what removes it.
 */
export function beforeGateway(middleware: GatewayMiddleware): () => void {
  MIDDLEWARES.add(middleware)
  return () => void MIDDLEWARES.delete(middleware)
}

/** Whether the gateway is to answer: no middleware has, and the client is still there. Throws what one passes on. */
export async function admittedByHost(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  for (const middleware of MIDDLEWARES) {
    await run(middleware, request, response)
    if (response.headersSent || response.destroyed) {
      return false
    }
  }
  return true
}

/** Ends with `next`, or with the response: a middleware that answers calls nothing. */
async function run(middleware: GatewayMiddleware, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let closed = () => {}
  try {
    await new Promise<void>((done, failed) => {
      closed = done
      response.once("close", closed)
      const next = (error?: unknown) => (error === undefined ? done() : failed(error as Error))
      Promise.resolve(middleware(request, response, next)).catch(failed)
    })
  } finally {
    response.off("close", closed)
  }
}
