import { z } from "@medusajs/framework/zod"

/** How long the http server waits for a client, in seconds (docs/operations.md, Slow and broken connections). */
export const serverSettings = z
  .object({
    /** To send the head of a request, on every path of the store. */
    headersSeconds: z.int().min(1).max(600).default(15),
    /** To send a request with its body, on every path of the store: long enough for Medusa's own file uploads. */
    requestSeconds: z.int().min(1).max(3_600).default(120),
    /** To send the body of a request to the gateway's own paths. */
    bodySeconds: z.int().min(1).max(600).default(20),
    /** To take the next part of a response that is ready. */
    answerSeconds: z.int().min(1).max(3_600).default(60),
    /** How long an idle connection stays open for the next request. */
    keepAliveSeconds: z.int().min(1).max(600).default(5),
  })
  .refine(
    ({ headersSeconds, requestSeconds }) => headersSeconds <= requestSeconds,
    "headersSeconds must not exceed requestSeconds"
  )

export type ServerSettings = z.infer<typeof serverSettings>

/** The settings from the environment variables; undefined when none is set. */
export function serverSettingsFrom(env: NodeJS.ProcessEnv): Record<string, number> | undefined {
  const given = Object.entries({
    headersSeconds: env.GATEWAY_HEADERS_TIMEOUT,
    requestSeconds: env.GATEWAY_REQUEST_TIMEOUT,
    bodySeconds: env.GATEWAY_BODY_TIMEOUT,
    answerSeconds: env.GATEWAY_ANSWER_TIMEOUT,
    keepAliveSeconds: env.GATEWAY_KEEP_ALIVE_TIMEOUT,
  }).filter(([, value]) => value)
  return given.length === 0 ? undefined : Object.fromEntries(given.map(([name, value]) => [name, Number(value)]))
}
