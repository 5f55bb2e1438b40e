import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../../src/modules/gateway"
import { cspReports } from "../../src/modules/gateway/kernel/http/metrics"
import { merchantOf, type Merchant } from "../support/checkouts"
import { visitCheckout as visit } from "../support/pages"
import { useStore } from "../support/store"

const SHOP = "http://127.0.0.1:9"
/** The tests change options in the process and read its metrics, so the store runs in this one. */
const store = useStore({ production: false, container: true, shop: true, env: { TRUSTED_PROXIES: "127.0.0.1,::1" } })
let merchant: Merchant

beforeAll(async () => {
  merchant = await merchantOf(store, SHOP)
})

describe("hosted page: headers and reports", () => {
  it("name where browsers report what the policy blocked, and the policy stays in force; over https in the new way too", async () => {
    const { options } = gatewayIn(store.container)
    const { response } = await visit(await merchant.checkout())
    expect(response.headers.get("content-security-policy")).toMatch(/; report-uri \/gateway\/csp-reports$/)
    expect([
      response.headers.get("reporting-endpoints"),
      response.headers.get("content-security-policy-report-only"),
    ]).toEqual([null, null])
    const before = options.publicUrl
    options.publicUrl = "https://pay.shop.example"
    try {
      const { headers } = (await visit(await merchant.checkout())).response
      expect(headers.get("content-security-policy")).toMatch(/; report-uri \/gateway\/csp-reports; report-to csp$/)
      expect(headers.get("reporting-endpoints")).toBe('csp="/gateway/csp-reports"')
    } finally {
      options.publicUrl = before
    }
  })

  it("reports are counted and logged in one line without ids; what is too large, too often or none is refused", async () => {
    const logger = store.container.resolve(ContainerRegistrationKeys.LOGGER)
    const { options } = gatewayIn(store.container)
    const warned = jest.spyOn(logger, "warn").mockImplementation()
    const checkout = await merchant.checkout()
    const report = {
      effectiveDirective: "script-src-elem",
      blockedURL: `https://evil.example/a.js?${checkout.session_id}`,
      documentURL: checkout.page,
    }
    const send = (body: string, type = "application/reports+json") =>
      fetch(`${store.url}/gateway/csp-reports`, {
        method: "POST",
        headers: { "Content-Type": type, "X-Forwarded-For": "198.51.100.250" },
        body,
      })
    const text = JSON.stringify([{ type: "csp-violation", url: checkout.page, body: report }])
    const counted = async () =>
      (await cspReports.get()).values.find(({ labels }) => labels.directive === "script-src-elem")?.value ?? 0
    try {
      const before = await counted()
      expect([(await send(text)).status, await counted()]).toEqual([204, before + 1])
      expect(warned.mock.calls).toEqual([
        [
          expect.stringContaining(
            "script-src-elem of the payment pages' content rules blocked https://evil.example on /pay/*"
          ),
        ],
      ])
      expect(warned.mock.calls.flat().join()).not.toMatch(/ses_|\?/)
      const old = JSON.stringify({
        "csp-report": { "violated-directive": "img-src", "blocked-uri": "inline", "document-uri": checkout.page },
      })
      expect((await send(old, "application/csp-report")).status).toBe(204)
      const refused = [await send("{"), await send(text, "application/json"), await send(`"${"x".repeat(20_000)}"`)]
      expect(refused.map(({ status }) => status)).toEqual([400, 415, 413])
      const many = JSON.stringify(Array.from({ length: 100 }, () => ({ type: "csp-violation", body: report })))
      await Promise.all([send(many), send(many), send(many)])
      expect(warned.mock.calls.length).toBeLessThanOrEqual(20)
      options.pageLimits.reports = 2
      const answers = [await send(text), await send(text), await send(text)].map(({ status }) => status)
      expect(answers).toEqual([204, 204, 429])
    } finally {
      options.pageLimits.reports = 0
      warned.mockRestore()
    }
  })
})
