import { MetricsService } from "../../reporting/metrics"

const service = (metricsToken?: string) =>
  new MetricsService({ gatewayOptions: { metricsToken } } as ConstructorParameters<typeof MetricsService>[0])

describe("GET /gateway/metrics", () => {
  it("refuses everybody when no token is set", () => {
    expect(service().admits("Bearer undefined")).toBe(false)
    expect(service().admits(undefined)).toBe(false)
  })

  it("accepts the token and nothing else", () => {
    const metrics = service("0123456789abcdef01234567")
    expect(metrics.admits("Bearer 0123456789abcdef01234567")).toBe(true)
    expect(metrics.admits("bearer 0123456789abcdef01234567")).toBe(false)
    expect(metrics.admits("Bearer 0123456789abcdef0123456")).toBe(false)
  })

  it("tells of payments that are not settled, by source, and counts them no more often than every five minutes", async () => {
    const lateEverywhere = jest.fn(async () => [{ source: "bkash", environment: "production", count: 12 }])
    const metrics = new MetricsService({
      database: { query: async () => [] },
      gatewayOptions: {},
      invariantService: { check: async () => [] },
      missingSettlementService: { lateEverywhere },
    } as unknown as ConstructorParameters<typeof MetricsService>[0])
    const now = jest.spyOn(Date, "now")
    for (const minutes of [0, 4, 6]) {
      now.mockReturnValue(Date.UTC(2026, 10, 20) + minutes * 60_000)
      const { text } = await metrics.render()
      expect(text).toContain('gateway_unsettled_payments{source="bkash",environment="production"} 12')
    }
    expect(lateEverywhere).toHaveBeenCalledTimes(2)
    now.mockRestore()
  })
})
