import { join } from "node:path"
import { ACQUIRERS } from "../../src/modules/gateway/acquirers/definitions"
import { accountsFromEnvironment } from "../../src/modules/gateway/acquirers/accounts"
import { load } from "./load.cjs"

const script = <T>(name: string) => load<T>(join(__dirname, "..", name))

describe("the forms of a page", () => {
  type Forms = { formsOf(html: string): { action: string; fields: Record<string, string> }[] }

  it.each([
    [
      "hidden and text inputs",
      '<input type="hidden" name="a" value="1"><input name="b" value="2">',
      { a: "1", b: "2" },
    ],
    ["an input without a value", '<input name="a">', { a: "" }],
    [
      "the chosen radio button",
      '<input type="radio" name="a" value="1"><input type="radio" name="a" value="2" checked>',
      { a: "2" },
    ],
    ["a box only when it is ticked", '<input type="checkbox" name="a" value="1">', {}],
    ["the first option", '<select name="a"><option>x &amp; y</option><option>z</option></select>', { a: "x & y" }],
    [
      "the selected option by its value",
      '<select name="a"><option value="1">x</option><option value="2" selected>y</option></select>',
      { a: "2" },
    ],
    ["characters as they are meant", '<input name="a" value="&#60;&quot;&amp;amp;">', { a: '<"&amp;' }],
    ["no button: one counts when it is pressed", '<button name="action" value="pay">Pay</button>', {}],
  ])("%s", async (_name, content, fields) => {
    const { formsOf } = await script<Forms>("demo/shopper.mjs")
    const html = `<p>before</p><form method="post" action="/pay?a=1&amp;b=2" novalidate>\n${content}\n</form><form></form>`
    expect(formsOf(html)).toEqual([
      { action: "/pay?a=1&b=2", fields },
      { action: "", fields: {} },
    ])
  })
})

describe("the acquirers' stand-ins", () => {
  type Acquirers = {
    startAcquirers(origin: string): Promise<{
      urls: Record<string, string>
      environment: Record<string, string>
      lines: string[]
      stop(): Promise<void>
    }>
  }

  it("make accounts of the store's own merchant at all but Stripe, and every call goes to this machine", async () => {
    const { startAcquirers } = await script<Acquirers>("demo/acquirers.mjs")
    const { urls, environment, lines, stop } = await startAcquirers("http://localhost:9000")
    try {
      const exported = { STRIPE_SECRET_KEY: "sk_live_somebodys", STRIPE_WEBHOOK_SECRET: "whsec_somebodys" }
      const own = accountsFromEnvironment(ACQUIRERS, "sandbox", { ...exported, ...environment })
      expect([...own.accounts.keys()]).toEqual(["bkash", "nagad", "sslcommerz", "shurjopay"])
      expect([...own.base_urls.keys()].sort()).toEqual(ACQUIRERS.map(({ id }) => id).sort())
      for (const { id } of ACQUIRERS) {
        expect(own.base_urls.get(id)).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/)
        expect(own.base_urls.get(id)).toBe(urls[id])
        expect(lines.join("\n")).toContain(urls[id])
      }
    } finally {
      await stop()
    }
    await expect(fetch(urls.bkash)).rejects.toThrow()
  })
})
