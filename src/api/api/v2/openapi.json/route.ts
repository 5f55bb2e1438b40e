import { createHash } from "node:crypto"
import { openEndpoint } from "../../../v2-kit/open-endpoint"
import { serversOf } from "../../../v2-kit/openapi/document"
import { document } from "./document"

type Text = { head: string; tail: string; hash: string }

let made: Promise<Text> | undefined

/** The servers, which vary, go between head and tail. */
async function makeText(): Promise<Text> {
  const { openapi, info, ...rest } = await document()
  const head = JSON.stringify({ openapi, info }).slice(0, -1)
  const tail = JSON.stringify({ ...rest, servers: undefined }).slice(1)
  return { head, tail, hash: createHash("sha256").update(head).update(tail).digest("base64url") }
}

/** The OpenAPI document with this deployment's servers; it needs no key (docs/decisions/0062). */
export const GET = openEndpoint(async ({ gateway, publicUrl, environment }) => {
  // Made at the first request, so that a store starts without it.
  const { head, tail, hash } = await (made ??= makeText())
  const servers = JSON.stringify(serversOf(publicUrl, gateway.options.environment, environment))
  const etag = createHash("sha256").update(hash).update(servers).digest("base64url")
  return { etag: `W/"${etag}"`, body: () => `${head},"servers":${servers},${tail}` }
})
