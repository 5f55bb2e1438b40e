import { BkashAcquirer } from "../../../../src/modules/gateway/acquirers/bkash/adapter"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, loadStandIn, MemoryTokens, type StandIn } from "../stand-in"

describe("bKash: tokens", () => {
  let standIn: StandIn
  let credentials: Record<string, string>
  let tokens: MemoryTokens
  let acquirer: BkashAcquirer

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    standIn = await startStandIn()
    credentials = { ...CREDENTIALS }
    tokens = new MemoryTokens()
    acquirer = new BkashAcquirer(contextOf(standIn, credentials, { tokens }))
  })
  afterEach(() => standIn.close())

  const start = (by = acquirer) => by.start(paymentRequest({ service: "BKASH" }))
  const counted = () => ({ grants: standIn.calls("grant").length, refreshes: standIn.calls("refresh").length })

  test("one grant serves many payments at once and one after the other; it lasts 50 minutes", async () => {
    await Promise.all(Array.from({ length: 5 }, () => start()))
    await start()
    expect(counted()).toEqual({ grants: 1, refreshes: 0 })
    const life = (tokens.kept?.expires_at.getTime() ?? 0) - Date.now()
    expect(life).toBeGreaterThan(49 * 60_000)
    expect(life).toBeLessThanOrEqual(50 * 60_000)
  })

  test("the request for a token, and a request with one: bare, with X-App-Key", async () => {
    await start()
    const [grant] = standIn.calls("grant")
    expect(grant.headers).toMatchObject({ username: credentials.username, password: credentials.password })
    expect(JSON.parse(grant.body)).toEqual({ app_key: credentials.app_key, app_secret: credentials.app_secret })
    const [create] = standIn.calls("create")
    expect(create.headers).toMatchObject({ authorization: tokens.kept?.token, "x-app-key": credentials.app_key })
    expect(create.headers).not.toHaveProperty("password")
  })

  test("what is old is refreshed with the refresh token, not granted anew", async () => {
    await start()
    standIn.advance(3_601)
    tokens.kept = tokens.kept && { ...tokens.kept, expires_at: new Date(0) }
    expect(await start()).toMatchObject({ result: "redirect" })
    expect(counted()).toEqual({ grants: 1, refreshes: 1 })
  })

  test("401: the token is renewed once, and the request sent once more", async () => {
    await start()
    standIn.tokens.revoke()
    expect(await start()).toMatchObject({ result: "redirect" })
    expect(counted()).toEqual({ grants: 1, refreshes: 1 })
    expect(standIn.calls("create").map(({ answer }) => answer?.status)).toEqual([200, 401, 200])
  })

  test("401 twice: refused, credentials trouble, no third request", async () => {
    standIn.faults.add({ on: "create", kind: "unauthorized", times: 5 })
    expect(await start()).toMatchObject({ result: "refused", trouble: "credentials" })
    expect(standIn.calls("create")).toHaveLength(2)
  })

  test("a refresh token that bKash turns down: one grant", async () => {
    await start()
    standIn.advance(29 * 86_400)
    tokens.kept = tokens.kept && { ...tokens.kept, expires_at: new Date(0) }
    expect(await start()).toMatchObject({ result: "redirect" })
    expect(counted()).toEqual({ grants: 2, refreshes: 1 })
  })

  test.each([
    ["no answer", { kind: "lost_before" }, "network"],
    ["status 500", { kind: "http", status: 500 }, "maintenance"],
    ["HTML", { kind: "html" }, "maintenance"],
  ])("a refresh without a decision (%s): no grant on top of it", async (_, fault, trouble) => {
    await start()
    standIn.faults.add({ on: "refresh", ...fault })
    tokens.kept = tokens.kept && { ...tokens.kept, expires_at: new Date(0) }
    expect(await start()).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble })
    expect(counted()).toEqual({ grants: 1, refreshes: 1 })
  })

  test.each([
    ["a wrong secret", { kind: "error", code: 2001 }, "credentials"],
    [
      "a wrong password, in the old words",
      {
        kind: "change",
        fields: { id_token: null, statusCode: null, msg: "Invalid username and password combination" },
      },
      "credentials",
    ],
    ["no answer", { kind: "lost_before" }, "network"],
    ["503 maintenance", { kind: "error", code: 503 }, "maintenance"],
  ])("no grant (%s): the payment is refused with the trouble", async (_, fault, trouble) => {
    standIn.faults.add({ on: "grant", ...fault })
    const answer = await start()
    expect(answer).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble })
    expect(JSON.stringify(answer)).not.toContain(credentials.app_secret)
    expect(standIn.calls("create")).toEqual([])
  })

  test("the third grant within an hour is refused and locks the merchant: rate_limited", async () => {
    for (let grant = 1; grant <= 2; grant++) {
      expect(await start(new BkashAcquirer(contextOf(standIn, credentials)))).toMatchObject({ result: "redirect" })
    }
    const third = await start(new BkashAcquirer(contextOf(standIn, credentials)))
    expect(third).toMatchObject({ result: "refused", trouble: "rate_limited" })
    expect(standIn.tokens.isLocked).toBe(true)
  })

  test("the tokens of an earlier process serve the next one", async () => {
    await start()
    const next = new BkashAcquirer(contextOf(standIn, credentials, { tokens }))
    expect(await start(next)).toMatchObject({ result: "redirect" })
    expect(counted().grants).toBe(1)
  })

  describe("test of the connection", () => {
    test("works, and opens nothing", async () => {
      expect(await acquirer.test()).toEqual({ works: true })
      expect(standIn.book.payments).toEqual([])
    })

    test.each([
      ["app_secret", "credentials"],
      ["password", "credentials"],
      ["username", "credentials"],
      ["app_key", "credentials"],
    ])("a wrong %s: %s", async (name, trouble) => {
      const wrong = new BkashAcquirer(contextOf(standIn, { ...credentials, [name]: "wrong" }))
      expect(await wrong.test()).toMatchObject({ works: false, trouble })
    })

    test.each([
      ["503 maintenance", { kind: "error", code: 503 }, "maintenance"],
      ["HTML", { kind: "html" }, "bad_request"],
      ["403", { kind: "http", status: 403 }, "credentials"],
      ["nothing", { kind: "lost_before" }, "network"],
    ])("%s: does not work", async (_, fault, trouble) => {
      standIn.faults.add({ on: "query", ...fault })
      expect(await acquirer.test()).toMatchObject({ works: false, trouble })
    })
  })
})
