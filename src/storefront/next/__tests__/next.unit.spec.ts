import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { gatewayReturn, PayButton, type ShopperReturn } from "../index"

const ADDRESS = "https://shop.example/api/gateway/return?country=bd&status=SUCCESS&transaction_id=txn1"
const paid = { status: "SUCCESS", order_id: "order_1", cart_id: "cart_1", session_id: "ses_1", transaction_id: "txn1" }

describe("gatewayReturn", () => {
  const fetchStatus = jest.fn()
  const onOutcome = jest.fn()
  const onError = jest.fn()
  const GET = gatewayReturn({
    sdk: { client: { fetch: fetchStatus } },
    orderUrl: (id, { query }) => `/${query.get("country")}/order/${id}/confirmed`,
    checkoutUrl: ({ query }) => `/${query.get("country")}/checkout`,
    language: () => "bn",
    headers: async () => ({ authorization: "Bearer x" }),
    timeoutMs: 0,
    onOutcome,
    onError,
  })
  beforeEach(() => {
    jest.resetAllMocks()
    fetchStatus.mockResolvedValue(paid)
  })

  it("asks the store about the transaction, and never believes the status of the address", async () => {
    fetchStatus.mockResolvedValue({ ...paid, status: "FAILED", order_id: null })
    const html = await (await GET(new Request(ADDRESS))).text()
    expect(fetchStatus.mock.calls).toEqual([
      ["/store/gateway/status", { query: { transaction_id: "txn1" }, headers: { authorization: "Bearer x" } }],
    ])
    expect(html).toContain(`data-outcome="declined"`)
    expect(html).toContain(`href="/bd/checkout"`)
  })

  it("calls onOutcome before it answers, and leads to the order", async () => {
    const html = await (await GET(new Request(ADDRESS))).text()
    expect(onOutcome.mock.calls.map(([of]: [ShopperReturn]) => of.outcome.state)).toEqual(["paid"])
    expect(html).toContain(`href="/bd/order/order_1/confirmed"`)
    expect(html).toContain(`lang="bn"`)
  })

  it("answers the page even when onOutcome throws", async () => {
    onOutcome.mockRejectedValue(new Error("no cache"))
    expect(await (await GET(new Request(ADDRESS))).text()).toContain(`data-outcome="paid"`)
    expect(onError).toHaveBeenCalledWith(new Error("no cache"))
  })

  it("without a transaction the payment is unknown, and nothing is asked", async () => {
    const response = await GET(new Request("https://shop.example/api/gateway/return"))
    expect(response.status).toBe(404)
    expect(fetchStatus).not.toHaveBeenCalled()
  })

  it.each([
    ["the store cannot be reached", new TypeError("fetch failed"), 0],
    ["the store refuses the question", Object.assign(new Error("no key"), { status: 400 }), 1],
  ])("the payment is open when %s", async (_what, error, reported) => {
    fetchStatus.mockRejectedValue(error)
    expect(await (await GET(new Request(ADDRESS))).text()).toContain(`data-outcome="open"`)
    expect(onError).toHaveBeenCalledTimes(reported)
  })
})

describe("PayButton", () => {
  const start = async () => ({ ok: true as const, url: "/", sessionId: "ses_1", expiresAt: null })
  const html = (props: object, ...children: string[]) =>
    renderToStaticMarkup(createElement(PayButton, { start, ...props }, ...children))

  it("renders on a server: a button with the language's word, and an empty alert", () => {
    expect(html({})).toBe(`<button type="button" aria-busy="false">Pay</button><p role="alert" lang="en"></p>`)
    expect(html({ language: "bn" })).toContain(">পরিশোধ করুন</button>")
    expect(html({ disabled: true, className: "b" }, "Place order")).toContain(
      `<button type="button" class="b" disabled="" aria-busy="false">Place order</button>`
    )
  })
})
