import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { GUIDES } from "../../src/api/reference/generated/guides"
import { newMerchant } from "../support/api"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { useStore } from "../support/store"

const store = useStore()
let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
})

/** Opens the reference; everything that it asked another host for, or that its policy blocked, is in `faults`. */
async function opened(width: number, query = ""): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.setDefaultTimeout(120_000)
  const faults: string[] = []
  page.on("request", (request) => {
    if (!request.url().startsWith(store.url) && !request.url().startsWith("data:")) {
      faults.push(request.url())
    }
  })
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()))
  await page.goto(`${store.url}/api/v2/docs${query}`)
  await page.getByRole("heading", { name: "Payment gateway", level: 1 }).waitFor()
  return { page, faults }
}

async function inspect(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: join(process.env.SCREENSHOTS, `reference-${name}.png`) })
  }
  expect([name, await accessibilityProblems(page)]).toEqual([name, []])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect([name, Math.max(0, tooWide)]).toEqual([name, 0])
}

describe("docs/decisions/27 — the reference pages", () => {
  it.each([390, 1280])("at %d pixels: no findings of axe, no other host, nothing blocked", async (width) => {
    const { page, faults } = await opened(width)
    await page.getByRole("heading", { name: "Checkout", exact: true }).first().waitFor()
    await inspect(page, String(width))
    expect(faults).toEqual([])
    await page.close()
  })

  it.each([390, 1280])("at %d pixels: a link leads to an operation, with samples in four languages", async (width) => {
    const { page, faults } = await opened(width, "?operation=POST%20/payments/checkout")
    await page.getByRole("heading", { name: "Create a checkout session" }).first().waitFor()
    await inspect(page, `operation-${width}`)
    expect(faults).toEqual([])
    await page.close()
  })

  // Widths change the layout and schemes the colours: each pair of them proves no more than each of them once.
  it.each([
    [390, "dark"],
    [1280, "light"],
  ] as const)("at %d pixels, %s: each guide, without findings of axe", async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    const faults: string[] = []
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()))
    for (const { name, title } of GUIDES) {
      await page.goto(`${store.url}/api/v2/docs/guides/${name}`)
      await page.getByRole("heading", { name: title, level: 1 }).waitFor()
      await inspect(page, `guide-${name}-${colorScheme}-${width}`)
    }
    await page.goto(`${store.url}/api/v2/docs/guides/errors#REFUND_EXCEEDED`)
    expect(await page.locator("tr:target").innerText()).toMatch(/REFUND_EXCEEDED\s+More than is left/)
    expect(faults).toEqual([])
    await page.close()
  })

  it("leads to the guides at its beginning and beside the operations, and a guide leads back", async () => {
    const { page } = await opened(1280)
    const guide = page.locator('a[href$="/api/v2/docs/guides/refunds-and-returns"]')
    await guide.first().waitFor()
    await page.goto(`${store.url}/api/v2/docs?operation=POST%20/payments/refund`)
    await page.locator('p:has-text("Guide:") a[href$="/guides/refunds-and-returns"]').first().waitFor()
    await page.goto(`${store.url}/api/v2/docs/guides/refunds-and-returns`)
    await page.getByRole("link", { name: "API reference" }).click()
    await page.getByRole("heading", { name: "Payment gateway", level: 1 }).waitFor()
    await page.close()
  })

  it("a link leads to an event", async () => {
    const { page } = await opened(1280, "?event=refund.completed")
    await page.getByRole("heading", { name: "A refund is complete" }).first().waitFor()
    await page.close()
  })

  it("sends a request with the reader's own key, and keeps the key nowhere", async () => {
    const merchant = await newMerchant(store)
    const { page, faults } = await opened(1280, "?operation=GET%20/sandbox/clock")
    await page.getByRole("textbox", { name: "Value", exact: true }).first().fill(merchant.key)
    await page
      .getByRole("button", { name: /test request.*\/sandbox\/clock/i })
      .first()
      .click()
    const answered = page.waitForResponse(`${store.url}/api/v2/sandbox/clock`)
    await page.getByRole("button", { name: /^send/i }).first().click()
    expect((await answered).status()).toBe(200)
    expect(faults).toEqual([])
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
    )
    expect(kept).not.toContain(merchant.key)
    await page.close()
  })

  it("is a page with a strict policy, whose files are cached for a year", async () => {
    const response = await fetch(`${store.url}/api/v2/docs`)
    const policy = response.headers.get("content-security-policy") ?? ""
    expect(response.status).toBe(200)
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/)
    expect(response.headers.get("x-frame-options")).toBe("DENY")
    const files = [...(await response.text()).matchAll(/(?:src|href)="(\/gateway\/reference\/[^"]+)"/g)]
    expect(files).toHaveLength(3)
    for (const [, url] of files) {
      const file = await fetch(`${store.url}${url}`)
      expect([url, file.status, file.headers.get("content-encoding")]).toEqual([url, 200, "gzip"])
      expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable, no-transform")
      await file.arrayBuffer()
    }
    expect((await fetch(`${store.url}/gateway/reference/renderer.0000000000000000.js`)).status).toBe(404)
    expect((await fetch(`${store.url}/api/v2/docs`, { method: "POST" })).status).toBe(404)
  })
})
