import "../../lib/__tests__/english"
import { FetchError } from "@medusajs/js-sdk"
import { awaitOutcome, transactionFromReturn, type PaymentStatus } from "../payment"

const fetchStatus = jest.fn()
jest.mock("../sdk", () => ({ openStore: async () => ({ sdk: { client: { fetch: fetchStatus } }, regionId: "reg_1" }) }))

const payment = (changes: Partial<PaymentStatus>): PaymentStatus => ({
  status: "PENDING",
  order_id: null,
  cart_id: "cart_1",
  session_id: "ses_1",
  transaction_id: "txn1",
  ...changes,
})
const pending = payment({})
const paid = payment({ status: "SUCCESS", order_id: "order_1" })

describe("awaitOutcome", () => {
  const leave = new AbortController()
  const onContact = jest.fn()
  const follow = (signal = leave.signal) => awaitOutcome("txn1", signal, onContact)

  beforeEach(() => {
    jest.useFakeTimers()
    jest.resetAllMocks()
  })
  afterEach(() => jest.useRealTimers())

  it.each(["FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const)("answers %s at once", async (status) => {
    fetchStatus.mockResolvedValue(payment({ status }))
    await expect(follow()).resolves.toMatchObject({ status })
    expect(fetchStatus).toHaveBeenCalledTimes(1)
    expect(fetchStatus).toHaveBeenCalledWith("/store/gateway/status", { query: { transaction_id: "txn1" } })
  })

  it("asks on while the payment is pending, and while its order is being made", async () => {
    fetchStatus
      .mockResolvedValueOnce(pending)
      .mockResolvedValueOnce(payment({ status: "SUCCESS" }))
      .mockResolvedValue(paid)
    const outcome = follow()
    await jest.advanceTimersByTimeAsync(10_000)
    await expect(outcome).resolves.toEqual(paid)
    expect(fetchStatus).toHaveBeenCalledTimes(3)
  })

  it.each([
    ["no connection", new TypeError("Failed to fetch")],
    ["a server in trouble", new FetchError("oops", "Internal Server Error", 500)],
    ["too many requests", new FetchError("slow down", "Too Many Requests", 429)],
  ])("outlives %s and says so", async (_what, error) => {
    fetchStatus.mockRejectedValueOnce(error).mockResolvedValue(paid)
    const outcome = follow()
    await jest.advanceTimersByTimeAsync(2_000)
    await expect(outcome).resolves.toEqual(paid)
    expect(onContact.mock.calls).toEqual([[false], [true]])
  })

  it("rejects for a payment the store does not know", async () => {
    fetchStatus.mockRejectedValue(new FetchError("no such payment", "Not Found", 404))
    await expect(follow()).rejects.toThrow("no such payment")
    expect(fetchStatus).toHaveBeenCalledTimes(1)
  })

  it("gives up after two minutes, having asked fewer than 40 times", async () => {
    fetchStatus.mockResolvedValue(pending)
    const outcome = follow()
    await jest.advanceTimersByTimeAsync(119_000)
    const asked = fetchStatus.mock.calls.length
    expect(asked).toBeGreaterThan(15)
    expect(asked).toBeLessThan(40)
    await jest.advanceTimersByTimeAsync(10_000)
    await expect(outcome).resolves.toBeNull()
  })

  it("stops when the shopper has gone elsewhere", async () => {
    fetchStatus.mockResolvedValue(pending)
    const gone = new AbortController()
    const outcome = follow(gone.signal)
    await jest.advanceTimersByTimeAsync(3_000)
    gone.abort()
    await expect(outcome).resolves.toBeNull()
    const asked = fetchStatus.mock.calls.length
    await jest.advanceTimersByTimeAsync(60_000)
    expect(fetchStatus).toHaveBeenCalledTimes(asked)
  })
})

describe("transactionFromReturn", () => {
  it("finds the transaction behind a shop's own parameters", () => {
    expect(transactionFromReturn("?lang=bn&status=SUCCESS&order_id=order_1&transaction_id=txn1")).toBe("txn1")
    expect(transactionFromReturn("?lang=bn")).toBeNull()
  })
})
