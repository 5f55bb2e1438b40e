import { secretsIn, serverErrors, uncaughtIn, unlogged } from "../support/process-checks"
import type { RequestCounter } from "../support/requests"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore({ production: true })

describe("a store under test", () => {
  it("answers over HTTP, on a database of its own", async () => {
    const health = await fetch(`${store.url}/health`)
    expect(health.status).toBe(200)
    const { rows } = await store.db.raw("SELECT current_database() AS name")
    expect(rows[0].name).toBe(new URL(store.databaseUrl).pathname.slice(1))
  })

  it("says that it lives and is ready, to anybody, unlogged and uncached, without a session", async () => {
    const server = await store.startServerProcess({ env: { GATEWAY_WORKER: "0" } })
    const origin = { Origin: "https://elsewhere.example" }
    for (const path of ["/health/live", "/health/ready", "/HEALTH/ready?probe=1"]) {
      const answer = await fetch(`${server.url}${path}`, { headers: origin })
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '{"status":"ok"}'])
      expect(answer.headers.get("cache-control")).toBe("no-store")
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
      for (const name of ["set-cookie", "access-control-allow-origin", "x-powered-by"]) {
        expect([name, answer.headers.get(name)]).toEqual([name, null])
      }
    }
    expect((await fetch(`${server.url}/health/ready`, { method: "HEAD" })).status).toBe(200)
    expect((await fetch(`${server.url}/health/ready`, { method: "POST" })).status).toBe(405)
    await fetch(`${server.url}/api/v2/sandbox`)
    await until("a later request is logged", () => server.accessLog().some(({ path }) => path === "/api/v2/sandbox"))
    expect(server.accessLog().filter(({ path }) => /health/i.test(path))).toEqual([])
    await server.kill("SIGKILL")
  })

  it("refuses the Store API without a publishable key, as Medusa does", async () => {
    const products = await fetch(`${store.url}/store/products`)
    expect(products.status).toBe(400)
    expect(await products.json()).toMatchObject({ type: "not_allowed" })
  })

  it("runs in production mode: in a process of its own, with an access log", async () => {
    const server = await store.startServerProcess({ env: { GATEWAY_WORKER: "0" } })
    await fetch(`${server.url}/pay/nothing?twice=1`)
    await fetch(`${server.url}/pay/nothing?twice=1`)
    const lines = () => server.accessLog().filter(({ path }) => path.endsWith("?twice=1"))
    await until("both requests are logged", () => lines().length === 2)
    expect(lines()).toMatchObject(Array(2).fill({ method: "GET", status: 404 }))
    expect(server.pid).not.toBe(process.pid)
    expect(() => store.container).toThrow(/useStore\(\{ container: true \}\)/)
    await server.kill("SIGKILL")
    expect(server.isRunning()).toBe(false)
    await expect(fetch(`${server.url}/health`)).rejects.toThrow()
  })
})

describe("what is asked of a store's process after each file", () => {
  const line = (path: string, status = 200, method = "GET") => ({ path, status, method })
  const asked = (counts: Record<string, [number, number]>) =>
    ({
      counts: new Map(Object.entries(counts).map(([key, [started, answered]]) => [key, { started, answered }])),
    }) as unknown as RequestCounter

  it("one line in the access log for each request that was answered, and none for one that was not made", () => {
    expect(unlogged(asked({ "GET /a": [2, 2] }), [line("/a"), line("/a")])).toEqual([])
    expect(unlogged(asked({ "GET /a": [2, 2] }), [line("/a")])).toEqual([
      "GET /a: 2 sent, 2 answered, 1 in the access log",
    ])
    expect(unlogged(asked({ "GET /a": [1, 1] }), [line("/a"), line("/a")])).toHaveLength(1)
    expect(unlogged(asked({ "POST /a": [1, 1] }), [line("/a")])).toHaveLength(1)
    expect(unlogged(asked({ "GET /a": [3, 2] }), [line("/a"), line("/a")])).toEqual([])
    expect(unlogged(asked({ "GET /health": [1, 1], "GET /health/ready?a=1": [1, 1] }), [])).toEqual([])
  })

  it("a log may hide a path's credentials", () => {
    const hidden = [line("/pay/[hidden]"), line("/x?key=sk_test_[hidden]")]
    expect(
      unlogged(
        asked({ [`GET /pay/ses_${"a".repeat(32)}`]: [1, 1], [`GET /x?key=sk_test_${"b".repeat(43)}`]: [1, 1] }),
        hidden
      )
    ).toEqual([])
  })

  it("no answer of 500 and more but those that a test declares, which have to come", () => {
    const lines = [line("/a"), line("/b?c=1", 500), line("/d", 503, "POST")]
    expect(serverErrors(lines, [])).toEqual(["500 GET /b?c=1", "503 POST /d"])
    expect(serverErrors(lines, ["/b?c=1", /^503 POST/])).toEqual([])
    expect(serverErrors(lines, ["/b?c=1", "/d", "/e"])).toEqual(["declared, but it did not come: /e"])
  })

  it("no uncaught errors", () => {
    expect(uncaughtIn("info: ready\nerror: Unhandled rejection: x\nUncaught exception y")).toHaveLength(2)
    expect(uncaughtIn("[ioredis] Unhandled error event: Error: connect ECONNREFUSED 127.0.0.1:1")).toEqual([])
  })

  it.each([
    ["an API key", `rejected sk_test_${"aB3_-".repeat(9)}`],
    ["a webhook's or IPN secret", `{"secret":"whsec_${"q".repeat(44)}"}`],
    ["a token of a signed-in person", `Bearer eyJhbGciOiJIUzI1NiJ9.${"eyJhY3Rvcl9pZCI6".repeat(2)}.${"s".repeat(43)}`],
    ["a card number", "paid with 4242 4242 4242 4242"],
    ["a card number", '{"pan":"4000000000000002"}'],
    ["a one-time password", '{"otp":"123456"}'],
  ])("%s in what it prints", (name, text) => {
    expect(secretsIn(`before\n${text}\nafter`)).toEqual([expect.stringMatching(`^${name}: `)])
  })

  it("what only looks like one: keys as they are shown, times, ids, amounts", () => {
    expect(secretsIn('"request_id":"42424242-4242-4242-8424-242424242424"')).toEqual([])
    expect(
      secretsIn(
        'sk_test_…aB3x 1732233445566 "duration":4242.424242 ses_4242424242424242 4242424242424241 otp: required'
      )
    ).toEqual([])
  })
})
