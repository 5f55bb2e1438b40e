import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import express from "express"
import { ERROR_TABLE } from "../../../modules/gateway/kernel/errors"
import { document } from "../../api/v2/openapi.json/document"
import { everyRoute } from "../../v2-kit/routes"
import { plainGate } from "../../gateway/gate"
import { pageArea } from "../../page-kit/area"
import { answerReference, isForReference } from "../answer"
import { GUIDES } from "../generated/guides"
import { GUIDES_OF_TAGS } from "../page"

/** The first request compresses 3.5 MB, beside other tests. */
jest.setTimeout(60_000)

const options = { reference: true, environment: "sandbox", trustedProxies: [] as string[], pageLimits: { address: 0 } }
let server: Server
let url: string

beforeAll(async () => {
  const app = express()
  app.use("/api/v2", (request, response, next) => {
    const asked = { gateway: { options } as never, request, response }
    return isForReference(asked, request.path) ? answerReference(asked, request.path) : next()
  })
  const files = pageArea("/gateway/reference", plainGate)
  app.use("/gateway/reference", (request, response) => {
    const services = { gateway: { options }, logger: console } as never
    void files.answer({ services, request, response, target: request.originalUrl, requestId: "reference" })
  })
  app.use((_request, response) => response.status(404).send("next"))
  server = createServer(app)
  await new Promise<void>((done) => server.listen(0, "localhost", done))
  url = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => server.close(done)))
afterEach(() => Object.assign(options, { reference: true, environment: "sandbox" }))

const page = async () => (await fetch(`${url}/api/v2/docs`)).text()

describe("docs/decisions/27 — the reference pages", () => {
  it("is a page of this store's files alone, with a strict policy", async () => {
    const response = await fetch(`${url}/api/v2/docs`)
    const policy = response.headers.get("content-security-policy") ?? ""
    expect([response.status, response.headers.get("x-frame-options")]).toEqual([200, "DENY"])
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/)
    expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\/|<script>/)
  })

  it("its files are cached for a year under their hash, compressed for who accepts it", async () => {
    const files = [...(await page()).matchAll(/(?:src|href)="(\/gateway\/reference\/[^"]+)"/g)].map(([, file]) => file)
    expect(files).toHaveLength(3)
    for (const file of files) {
      const packed = await fetch(`${url}${file}`, { headers: { "Accept-Encoding": "br, gzip" } })
      const plain = await fetch(`${url}${file}`, { headers: { "Accept-Encoding": "identity" } })
      expect([packed.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual(["br", null])
      expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable, no-transform")
      const text = await packed.text()
      expect(text === (await plain.text())).toBe(true)
      const gzipped = await fetch(`${url}${file}`, { headers: { "Accept-Encoding": "gzip" } })
      expect([gzipped.headers.get("content-encoding"), (await gzipped.text()) === text]).toEqual(["gzip", true])
    }
    expect((await fetch(`${url}/gateway/reference/renderer.0000000000000000.js`)).status).toBe(404)
  })

  it("sends what a reader tries to a sandbox, beside production too", async () => {
    expect(await page()).toContain('data-base="/api/v2"')
    options.environment = "production"
    expect(await page()).toContain('data-base="/sandbox/api/v2"')
  })

  it("has every guide as a page with one style sheet and no script, and each code of an error as its anchor", async () => {
    for (const { name, title } of GUIDES) {
      const response = await fetch(`${url}/api/v2/docs/guides/${name}`)
      const text = await response.text()
      expect([name, response.status]).toEqual([name, 200])
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self';/)
      expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).not.toMatch(/<script|style=|(src|href)="(https?:)?\/\//)
      const [, styles] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
      expect((await fetch(`${url}${styles}`)).headers.get("content-type")).toBe("text/css; charset=utf-8")
      const links = [...text.matchAll(/href="\/api\/v2\/docs\/guides\/([^"#]+)/g)].map(([, to]) => to)
      expect(links.filter((to) => !GUIDES.some((guide) => guide.name === to))).toEqual([])
    }
    const errors = await (await fetch(`${url}/api/v2/docs/guides/errors`)).text()
    const anchors = [...errors.matchAll(/<tr role="row" id="([A-Z_]+)">/g)].map(([, code]) => code)
    expect(anchors.sort()).toEqual(Object.keys(ERROR_TABLE).sort())
    expect((await fetch(`${url}/api/v2/docs/guides/nothing`)).status).toBe(404)
  })

  it("links every guide at its beginning, and the tags of the document to guides that are there", async () => {
    const [, links] = /data-guides="([^"]+)"/.exec(await page()) ?? []
    const { all, of_tags } = JSON.parse((links ?? "").replaceAll("&quot;", '"')) as {
      all: string
      of_tags: Record<string, string>
    }
    GUIDES.forEach(({ name }) => expect(all).toContain(`/api/v2/docs/guides/${name})`))
    const { tags } = (await document(everyRoute())) as { tags: { name: string }[] }
    const known = tags.map(({ name }) => name)
    expect(Object.keys(of_tags).filter((tag) => !known.includes(tag))).toEqual([])
    for (const [tag, names] of Object.entries(GUIDES_OF_TAGS)) {
      expect([tag, of_tags[tag].match(/\]\(/g)?.length]).toEqual([tag, names.length])
    }
  })

  it("leaves other paths and methods to the API, and all of them when it is switched off", async () => {
    expect((await fetch(`${url}/api/v2/docs`, { method: "POST" })).status).toBe(404)
    expect((await fetch(`${url}/api/v2/docs/more`)).status).toBe(404)
    expect((await fetch(`${url}/api/v2/docs`, { method: "HEAD" })).status).toBe(200)
    const [, file] = /src="([^"]+)"/.exec(await page()) ?? []
    options.reference = false
    expect((await fetch(`${url}/api/v2/docs`)).status).toBe(404)
    expect((await fetch(`${url}/api/v2/docs/guides/errors`)).status).toBe(404)
    expect((await fetch(`${url}${file}`)).status).toBe(404)
  })
})
