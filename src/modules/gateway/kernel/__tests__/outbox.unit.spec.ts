import { ipnReceiver, IPN_RECEIVERS } from "../database/outbox"

const OWNER = { merchant_id: "gmr_1", environment: "sandbox" } as const

describe("the receivers of IPNs (decisions: Callback, IPN and webhook URLs)", () => {
  it("the URLs of one host are one receiver, for each merchant and environment", () => {
    const receiver = ipnReceiver(OWNER, "https://shop.example.com/ipn?order=1")
    expect(ipnReceiver(OWNER, "https://shop.example.com/other")).toBe(receiver)
    expect(ipnReceiver({ ...OWNER, merchant_id: "gmr_2" }, "https://shop.example.com/ipn")).not.toBe(receiver)
    expect(ipnReceiver({ ...OWNER, environment: "production" }, "https://shop.example.com/ipn")).not.toBe(receiver)
  })

  it("a merchant that names a new host with each order has a limited number, all of them used", () => {
    const hosts = Array.from({ length: 2_000 }, (_, index) => `https://shop-${index}.example.com/ipn`)
    expect(new Set(hosts.map((url) => ipnReceiver(OWNER, url))).size).toBe(IPN_RECEIVERS)
  })

  it("a text that is no URL has one too", () => {
    expect(ipnReceiver(OWNER, "no url")).toMatch(/^ipn:gmr_1:sandbox:[0-9]+$/)
  })
})
