import type { InvoiceDocument } from "../invoice-document"
import { PdfCache } from "../pdf-cache"

const invoice = (number: string, changes: object = {}) =>
  ({ number, language: "en", words: {}, ...changes }) as InvoiceDocument

/** A cache whose PDFs have 100 bytes, and the list of PDFs it has drawn. */
function cacheOf(most: number) {
  const drawn: string[] = []
  const cache = new PdfCache(most, async ({ number }) => {
    drawn.push(number)
    return Buffer.alloc(100)
  })
  return { cache, drawn }
}

describe("decisions: Limits of anonymous visitors — PDFs are drawn once", () => {
  it("for the same content, for many concurrent requests and later ones", async () => {
    const { cache, drawn } = cacheOf(1_000)
    const files = await Promise.all(Array.from({ length: 8 }, () => cache.pdf(invoice("INV-1"))))
    expect(new Set([...files, await cache.pdf(invoice("INV-1"))]).size).toBe(1)
    expect(drawn).toEqual(["INV-1"])
  })

  it("another language or other printed content is another file", async () => {
    const { cache, drawn } = cacheOf(1_000)
    await cache.pdf(invoice("INV-1"))
    await cache.pdf(invoice("INV-1", { language: "bn" }))
    await cache.pdf(invoice("INV-1", { status: "Paid" }))
    expect(drawn).toHaveLength(3)
  })

  it("keeps no more than its limit in bytes: the least recently used file is removed first", async () => {
    const { cache, drawn } = cacheOf(250)
    for (const number of ["INV-1", "INV-2", "INV-1", "INV-3", "INV-1", "INV-2"]) {
      await cache.pdf(invoice(number))
    }
    expect(drawn).toEqual(["INV-1", "INV-2", "INV-3", "INV-2"])
  })

  it("a file larger than the whole cache is drawn each time and evicts nothing", async () => {
    const { cache, drawn } = cacheOf(50)
    await cache.pdf(invoice("INV-1"))
    await cache.pdf(invoice("INV-1"))
    expect(drawn).toHaveLength(2)
  })

  it("only a file that has to be drawn needs permission; without it nothing is drawn, and others still get theirs", async () => {
    const { cache, drawn } = cacheOf(1_000)
    const asked: string[] = []
    const unlessRefused = (refused: boolean) => async () => {
      asked.push("asked")
      if (refused) {
        throw new Error("too many")
      }
    }
    await expect(cache.pdf(invoice("INV-1"), undefined, unlessRefused(true))).rejects.toThrow("too many")
    const [refused, file] = await Promise.allSettled([
      cache.pdf(invoice("INV-1"), undefined, unlessRefused(true)),
      cache.pdf(invoice("INV-1")),
    ])
    expect([refused.status, file.status]).toEqual(["rejected", "fulfilled"])
    await cache.pdf(invoice("INV-1"), undefined, unlessRefused(true))
    await cache.pdf(invoice("INV-2"), undefined, unlessRefused(false))
    expect([asked.length, drawn]).toEqual([3, ["INV-1", "INV-2"]])
  })

  it("a failure rejects all waiting requests and is not cached", async () => {
    let tries = 0
    const cache = new PdfCache(1_000, async () => {
      if ((tries += 1) === 1) {
        throw new Error("no font")
      }
      return Buffer.alloc(1)
    })
    const first = await Promise.allSettled([cache.pdf(invoice("INV-1")), cache.pdf(invoice("INV-1"))])
    expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"])
    expect((await cache.pdf(invoice("INV-1"))).length).toBe(1)
  })
})
