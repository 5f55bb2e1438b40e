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
})
