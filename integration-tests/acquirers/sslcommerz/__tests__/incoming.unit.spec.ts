import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Notification } from "../../../../src/modules/gateway/acquirers/port"
import { posted, useBench, type Fields } from "../support"

const bench = useBench()

/** The shop's notification route, as far as the adapter is concerned: what arrives is read at once. */
let shop: Server
let notification_url: string
const read: Notification[] = []

beforeAll(async () => {
  shop = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { method = "", url: target = "", headers } = request
      void bench.acquirer.readNotification!({ method, target, headers, body: Buffer.concat(chunks) })
        .then((notification) => read.push(notification))
        .then(() => response.writeHead(200).end())
    })
  })
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve))
  notification_url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/gateway/acquirers/sslcommerz/notify/a1`
})
beforeEach(() => void (read.length = 0))
afterAll(() => new Promise((resolve) => shop.close(resolve)))

describe("the browser's return", () => {
  it.each([
    ["pay", "paid"],
    ["decline", "not_paid"],
    ["cancel", "cancelled"],
  ] as const)("a posted form after %s", async (action, claims) => {
    const { request, url } = await bench.started()
    const back = await bench.standIn.shopper[action](url)

    expect(back!.url).toBe(request.return_url)
    const hint = bench.acquirer.readReturn!(posted(back!.fields))
    expect(hint).toMatchObject({ about: "payment", key: request.key, claims })
    expect(hint!.references).toEqual(action === "pay" ? { val_id: back!.fields.val_id } : undefined)
  })

  it("a GET with the same fields", async () => {
    const { request, url } = await bench.started()
    const { fields } = (await bench.standIn.shopper.pay(url))!
    const target = `/gateway/acquirers/sslcommerz/return/${request.key}?${new URLSearchParams(fields)}`

    expect(bench.acquirer.readReturn!({ method: "GET", target, headers: {}, body: Buffer.alloc(0) })).toEqual({
      about: "payment",
      key: request.key,
      references: { val_id: fields.val_id },
      claims: "paid",
    })
  })

  it.each([
    ["nothing", {}],
    ["no tran_id", { status: "VALID" }],
    ["a tran_id that is none of ours", { tran_id: "ORDER-1", status: "VALID" }],
    ["JSON", { '{"tran_id":"abcdefghijklmnopqrstuvwxyz0123"}': "" }],
  ])("with %s there is no hint", (_name, fields) => {
    expect(bench.acquirer.readReturn!(posted(fields as Fields))).toBeNull()
  })

  it.each([
    ["VALIDATED", "paid"],
    ["UNATTEMPTED", "not_paid"],
    ["EXPIRED", "not_paid"],
    ["PENDING", "unclear"],
    ["constructor", "unclear"],
    ["", "unclear"],
  ])("the status %p claims %s", (status, claims) => {
    const hint = bench.acquirer.readReturn!(posted({ tran_id: "a".repeat(30), status, val_id: "../etc" }))

    expect(hint).toEqual({ about: "payment", key: "a".repeat(30), claims })
  })

  it("value_a names the attempt if tran_id comes back changed", () => {
    const key = "b".repeat(30)

    expect(
      bench.acquirer.readReturn!(posted({ tran_id: key.toUpperCase(), value_a: key, status: "VALID" }))
    ).toMatchObject({ key })
  })
})

describe("IPN", () => {
  it("VALID: names the attempt and the val_id", async () => {
    const { request, url } = await bench.started({ notification_url })
    await bench.standIn.shopper.pay(url)

    const { val_id } = bench.rowsOf(request.key)[0]
    expect(read).toEqual([
      { result: "hint", hint: { about: "payment", key: request.key, references: { val_id }, claims: "paid" } },
    ])
    expect(bench.standIn.book.notifications.at(-1)).toMatchObject({ url: notification_url, status: 200 })
  })

  it.each([
    ["FAILED", "not_paid"],
    ["CANCELLED", "cancelled"],
    ["UNATTEMPTED", "not_paid"],
    ["EXPIRED", "not_paid"],
  ] as const)("%s: without a val_id", async (status, claims) => {
    const { request, url } = await bench.started({ notification_url })
    if (status === "FAILED") {
      await bench.standIn.shopper.decline(url)
    } else if (status === "CANCELLED") {
      await bench.standIn.shopper.cancel(url)
    } else {
      await bench.standIn.shopper.leave(url, status)
    }

    expect(read).toEqual([{ result: "hint", hint: { about: "payment", key: request.key, claims } }])
  })

  it("an IPN that is lost leaves the outcome to the query, which finds it in SSLCommerz's list", async () => {
    const { url, asked } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "lost")
    await bench.standIn.shopper.pay(url)

    expect(read).toEqual([])
    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done" })
  })

  it("twice: the same hint twice", async () => {
    const { url } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "twice")
    await bench.standIn.shopper.pay(url)

    expect(read).toHaveLength(2)
    expect(read[0]).toEqual(read[1])
  })

  it("before create's answer: a hint about an attempt that the list does not know yet", async () => {
    bench.standIn.faults.add("create", "ipn_first")
    const { request } = await bench.started({ notification_url })

    expect(read).toMatchObject([{ result: "hint", hint: { key: request.key, claims: "not_paid" } }])
  })

  it("late: held until after the session has ended", async () => {
    const { url, asked } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "held")
    await bench.standIn.shopper.pay(url)
    expect(read).toEqual([])
    await bench.standIn.releaseNotifications()

    expect(read).toMatchObject([{ result: "hint", hint: { claims: "paid" } }])
    expect(await bench.acquirer.query({ ...asked, now: new Date(asked.expires_at.getTime() + 1) })).toMatchObject({
      result: "done",
    })
  })

  it.each([
    ["forged", "verify_sign does not match"],
    ["forged_sha2", "verify_sign_sha2 does not match"],
  ])("%s", async (fault, why) => {
    const { url } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", fault)
    await bench.standIn.shopper.pay(url)

    expect(read).toEqual([{ result: "forged", why }])
  })

  it("with another amount it is a hint like any other: the validation says what was paid", async () => {
    const { request, url, asked } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "field", { field: "amount", value: "1.00" })
    await bench.standIn.shopper.pay(url)

    expect(read).toMatchObject([{ result: "hint", hint: { key: request.key, claims: "paid" } }])
    expect(await bench.acquirer.query(asked)).toMatchObject({ result: "done", amount: 125_050n })
  })

  it("changed on the way is forged, even if only the status is", async () => {
    const { url } = await bench.started({ notification_url })
    await bench.standIn.shopper.decline(url)
    const { fields } = bench.standIn.book.notifications.at(-1)!

    const forgeries: Fields[] = [{ status: "VALID" }, { amount: "1.00" }, { tran_id: "a".repeat(30) }]
    for (const changes of forgeries) {
      expect(await bench.acquirer.readNotification!(posted({ ...fields, ...changes }))).toMatchObject({
        result: "forged",
      })
    }
  })

  it("an unsigned extra field is not read: its val_id names nothing", async () => {
    const { request, url } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "extra_field", { field: "val_id", value: "invented" })
    await bench.standIn.shopper.decline(url)

    expect(read).toEqual([{ result: "hint", hint: { about: "payment", key: request.key, claims: "not_paid" } }])
  })

  it("of another shop of the same store it is irrelevant", async () => {
    const { url } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "field", { field: "tran_id", value: "ORDER-77" })
    bench.standIn.book.sessions.at(-1)!.form.value_a = "basket 5"
    await bench.standIn.shopper.pay(url)

    expect(read).toEqual([{ result: "irrelevant" }])
  })

  it("of another store is irrelevant, whoever signed it", async () => {
    const { url } = await bench.started({ notification_url })
    bench.standIn.faults.add("ipn", "field", { field: "store_id", value: "another_store" })
    await bench.standIn.shopper.pay(url)

    expect(read).toEqual([{ result: "irrelevant" }])
  })

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["JSON", Buffer.from('{"status":"VALID"}')],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x3d, 0x25])],
  ])("%s is forged", async (_name, body) => {
    const incoming = { method: "POST", target: "/gateway/acquirers/sslcommerz/notify/a1", headers: {}, body }

    expect(await bench.acquirer.readNotification!(incoming)).toMatchObject({ result: "forged" })
  })
})
