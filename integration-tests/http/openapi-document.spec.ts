import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brief, call } from "../support/api"
import { fromElsewhere, LIMITED, QUOTA } from "../support/limited"
import { ROOT, useStore } from "../support/store"

const store = useStore({ production: true, env: LIMITED })

describe("the OpenAPI document", () => {
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    call(store.url, method, "/openapi.json", undefined, { headers: { ...fromElsewhere(), ...headers } })

  it("is served without a key: the one of the repository, with the servers of this deployment", async () => {
    const answer = await get()
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"])
    const kept = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8")) as Record<string, unknown>
    const servers = [{ url: `${store.url}/api/v2`, description: "Sandbox" }]
    expect(JSON.parse(answer.text)).toEqual({ ...kept, servers })
    const plain = { "Accept-Encoding": "identity" }
    expect((await get(plain, "HEAD")).headers.get("content-length")).toBe(String(Buffer.byteLength(answer.text)))
  })

  it("who has it already gets 304; requests count by address, and other methods are refused", async () => {
    const { headers } = await get()
    expect(headers.get("cache-control")).toBe("no-cache")
    const again = await get({ "If-None-Match": headers.get("etag") ?? "" })
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", headers.get("etag")])
    expect((await get({ "If-None-Match": '"other"' })).status).toBe(200)
    const address = fromElsewhere()
    const answers = await Promise.all(Array.from({ length: QUOTA }, () => get(address)))
    expect(answers.map(({ status }) => status)).toEqual(Array(QUOTA).fill(200))
    expect(brief(await get(address))).toBe("429 RATE_LIMIT_EXCEEDED")
    expect(brief(await get({}, "POST"))).toBe("405 METHOD_NOT_ALLOWED")
  })
})
