import { createHash } from "node:crypto"
import { z } from "@medusajs/framework/zod"
import { bare } from "../../../v2-kit/answers"
import { openOperation } from "../../../v2-kit/operation"
import { serversOf } from "../../../v2-kit/openapi/document"
import { anyObject, arrayOf, words } from "../../../v2-kit/openapi/fields"
import { named } from "../../../v2-kit/openapi/named"
import { everyRoute } from "../../../v2-kit/routes"
import { document } from "./document"

type Text = { head: string; tail: string; hash: string }

let made: Promise<Text> | undefined

/** The servers, which vary, go between head and tail. */
async function makeText(): Promise<Text> {
  const { openapi, info, ...rest } = await document(everyRoute())
  const head = JSON.stringify({ openapi, info }).slice(0, -1)
  const tail = JSON.stringify({ ...rest, servers: undefined }).slice(1)
  return { head, tail, hash: createHash("sha256").update(head).update(tail).digest("base64url") }
}

const openApi = named("OpenApi", () =>
  z
    .looseObject({
      openapi: words("The version of OpenAPI."),
      info: anyObject("What this API is."),
      servers: arrayOf(z.unknown(), "The base URLs of this deployment."),
      paths: anyObject("The operations."),
      webhooks: anyObject("The events."),
      components: anyObject("The schemas."),
    })
    .describe("An OpenAPI 3.1 document.")
)

/** The OpenAPI document with this deployment's servers; it needs no key (docs/decisions/27). */
export const GET = openOperation({
  id: "getOpenApi",
  tag: "This document",
  summary: "Get this document",
  description: "Needs no key. Its servers are those of the deployment that answers.",
  answer: bare({
    data: openApi,
    description: "The document.",
    example: { openapi: "3.1.0", info: {}, servers: [], paths: {}, webhooks: {}, components: {} },
  }),
  page: async ({ gateway, publicUrl, environment }) => {
    // Made at the first request, so that a store starts without it.
    const { head, tail, hash } = await (made ??= makeText())
    const servers = JSON.stringify(serversOf(publicUrl, gateway.options.environment, environment))
    const etag = createHash("sha256").update(hash).update(servers).digest("base64url")
    return { etag: `W/"${etag}"`, body: () => `${head},"servers":${servers},${tail}` }
  },
})
