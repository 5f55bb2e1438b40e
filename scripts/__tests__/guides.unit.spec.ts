import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { ERROR_TABLE } from "../../src/modules/gateway/kernel/errors"

import { load } from "./load.cjs"

const ROOT = resolve(__dirname, "../..")
const GUIDES = join(ROOT, "docs/guides")
const guides = readdirSync(GUIDES).filter((name) => name.endsWith(".md"))
const textOf = (name: string) => readFileSync(join(GUIDES, name), "utf8")

describe("the guides", () => {
  it("errors.md says of every code why, and what to do", () => {
    const rows = [...textOf("errors.md").matchAll(/^\| `([A-Z_]+)` \| (.+) \| (.+) \|$/gm)]
    expect(rows.map(([, code]) => code).sort()).toEqual(Object.keys(ERROR_TABLE).sort())
    expect(rows.filter(([, , why, fix]) => why.length < 10 || fix.length < 10).map(([, code]) => code)).toEqual([])
  })

  it("the README links to each of them", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8")
    expect(guides.length).toBeGreaterThanOrEqual(10)
    expect(guides.filter((name) => !readme.includes(`](docs/guides/${name})`))).toEqual([])
  })

  it("their links lead to files that are there", () => {
    const links = guides.flatMap((name) =>
      [...textOf(name).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({ name, to }))
    )
    expect(links.length).toBeGreaterThan(10)
    expect(links.filter(({ to }) => !existsSync(join(GUIDES, to)))).toEqual([])
  })
})

type Made = { guideOf(name: string, text: string, document: object): Promise<{ title: string; html: string }> }

describe("the guides as pages", () => {
  const document = { paths: { "/refunds": { post: {} } }, webhooks: { "refund.completed": {} } }
  const pageOf = async (text: string) => {
    const { guideOf } = await load<Made>(join(ROOT, "scripts/lib/guide-html.mjs"))
    return guideOf("one", text, document)
  }

  it("escape what is text", async () => {
    const { html } = await pageOf('# A\n\n`<b>` & x < y\n\n```sh\necho "<i>"\n```\n')
    expect(html).toContain("<p><code>&lt;b&gt;</code> &amp; x &lt; y</p>")
    expect(html).toContain("<code>echo &quot;&lt;i&gt;&quot;</code>")
  })

  it("link operations, events and other guides, and name documents that are no pages", async () => {
    const { html } = await pageOf(
      "# A\n\n`POST /api/v2/refunds`, `GET /refunds`, `refund.completed`, [b](webhooks.md#c-d), [e](../api.md)\n"
    )
    expect(html).toBe(
      '<p><a href="/api/v2/docs?operation=POST+%2Frefunds"><code>POST /api/v2/refunds</code></a>, ' +
        '<code>GET /refunds</code>, <a href="/api/v2/docs?event=refund.completed"><code>refund.completed</code></a>, ' +
        '<a href="/api/v2/docs/guides/webhooks#c-d">b</a>, e (<code>docs/api.md</code>)</p>'
    )
  })

  it("refuse what they cannot show, and a guide without a title", async () => {
    await expect(pageOf("# A\n\n> quoted\n")).rejects.toThrow("blockquote")
    await expect(pageOf("text\n")).rejects.toThrow("heading")
    await expect(pageOf("# <b>\n")).rejects.toThrow("heading")
  })
})
