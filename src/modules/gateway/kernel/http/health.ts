import type { IncomingMessage, Server, ServerResponse } from "node:http"

/* The health checks of every process: stores and workers answer byte for byte the same. */

/** Why the process should be sent no requests; null: it may (reporting/readiness.ts). */
type Readiness = { problem(): Promise<string | null> }

/** The process answers. That says nothing of the database: one that is away is no reason to restart the process. */
export function answerLive(response: ServerResponse): void {
  answer(response, 200, "ok")
}

/** Whether requests should come here, or why they should go to another process. */
export async function answerReady(
  request: IncomingMessage,
  response: ServerResponse,
  readiness: Readiness
): Promise<void> {
  const problem = isClosing(request) ? "stopping" : await readiness.problem()
  answer(response, problem === null ? 200 : 503, problem ?? "ok")
}

/** Its server takes no connection any more: this request came over one that was still open. */
function isClosing({ socket }: IncomingMessage): boolean {
  const { server } = socket as { server?: Pick<Server, "listening"> }
  return server?.listening === false
}

function answer(response: ServerResponse, status: number, text: string): void {
  const body = JSON.stringify({ status: text })
  response.removeHeader("X-Powered-By")
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  })
  response.end(body)
}
