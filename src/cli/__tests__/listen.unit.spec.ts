import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { newWebhookSecret, verifyWebhook } from "../../modules/gateway/webhooks/signature"
import { deliver, isWebhookSecret } from "../listen/deliver"
import { EventFeed, PAGE_SIZE, subjectOf, typeOf, type EventPage, type ListedEvent } from "../listen/feed"

const event = (id: string): ListedEvent => ({ event_id: id, event_type: "payment.succeeded", data: {} })

/** The gateway's list, newest first; `read` counts the pages. */
class Log {
  events: string[] = []
  read = 0
  down = false
  /** Called between the counting and the reading of a page, which are two statements. */
  between = () => {}

  page = async (page: number): Promise<EventPage> => {
    this.read += 1
    if (this.down) {
      throw new Error("down")
    }
    const total = this.events.length
    this.between()
    return { total, events: this.events.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(event) }
  }

  add(...ids: string[]): void {
    ids.forEach((id) => this.events.unshift(id))
  }
}

const ids = (events: ListedEvent[]) => events.map(({ event_id }) => event_id)
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => `e${from + index}`)

describe("the feed of events", () => {
  let log: Log
  let feed: EventFeed
  beforeEach(() => {
    log = new Log()
    feed = new EventFeed(log.page)
  })

  it.each([0, 1, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 1_000])(
    "nothing of %i earlier events is new; what comes is, once, oldest first",
    async (earlier) => {
      log.add(...numbered(0, earlier))
      await feed.begin()
      expect(await feed.next()).toEqual([])
      log.add("a", "b")
      expect(ids(await feed.next())).toEqual(["a", "b"])
      expect(await feed.next()).toEqual([])
    }
  )

  it("more events at once than a page holds", async () => {
    log.add(...numbered(0, 500))
    await feed.begin()
    const many = numbered(1_000, 3 * PAGE_SIZE + 7)
    log.add(...many)
    expect(ids(await feed.next())).toEqual(many)
  })

  it("an event of a slow transaction, which appears behind newer ones", async () => {
    log.add(...numbered(0, 500))
    await feed.begin()
    log.add("a", "b")
    await feed.next()
    log.events.splice(30, 0, "late")
    expect(ids(await feed.next())).toEqual(["late"])
  })

  it.each([PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 250, 900])(
    "an event that appears %i places behind the newest",
    async (places) => {
      log.add(...numbered(0, 5_000))
      await feed.begin()
      log.events.splice(places, 0, "late")
      expect(ids(await feed.next())).toEqual(["late"])
      log.add("a")
      log.events.splice(places, 0, "later")
      expect(ids(await feed.next())).toEqual(["later", "a"])
      expect(await feed.next()).toEqual([])
    }
  )

  it("an event that appears behind a thousand others of the last second", async () => {
    log.add(...numbered(0, 500))
    await feed.begin()
    log.add("late", ...numbered(1_000, 1_000))
    log.events = log.events.filter((id) => id !== "late")
    expect(await feed.next()).toHaveLength(1_000)
    log.events.splice(1_000, 0, "late")
    expect(ids(await feed.next())).toEqual(["late"])
  })

  it("a late event after others were deleted, as they are after 90 days", async () => {
    log.add(...numbered(0, 1_500))
    await feed.begin()
    log.events.splice(-300)
    expect(await feed.next()).toEqual([])
    expect(await feed.next()).toEqual([])
    log.events.splice(400, 0, "late")
    expect(ids(await feed.next())).toEqual(["late"])
  })

  it("an event that comes between the counting and the reading is new once, and costs no search", async () => {
    log.add(...numbered(0, 5_000))
    await feed.begin()
    log.between = () => {
      log.between = () => {}
      log.add("a")
    }
    expect(ids(await feed.next())).toEqual(["a"])
    log.read = 0
    expect(await feed.next()).toEqual([])
    expect(log.read).toBe(1)
    log.events.splice(400, 0, "late")
    expect(ids(await feed.next())).toEqual(["late"])
  })

  it("a failed read loses nothing", async () => {
    await feed.begin()
    log.add("a")
    log.down = true
    await expect(feed.next()).rejects.toThrow("down")
    log.down = false
    expect(ids(await feed.next())).toEqual(["a"])
  })

  it("reads one page when nothing is new, also after thousands of events", async () => {
    log.add(...numbered(0, 300))
    await feed.begin()
    for (let round = 0; round < 30; round++) {
      log.add(...numbered(1_000 + round * PAGE_SIZE, PAGE_SIZE))
      expect(await feed.next()).toHaveLength(PAGE_SIZE)
    }
    log.read = 0
    expect(await feed.next()).toEqual([])
    expect(log.read).toBe(1)
  })

  it("the sandbox's purge deletes what the feed remembers", async () => {
    log.add(...numbered(0, 500))
    await feed.begin()
    log.events = []
    expect(await feed.next()).toEqual([])
    log.add("a")
    expect(ids(await feed.next())).toEqual(["a"])
  })

  it("type and subject of both shapes (contract 6.1, 6.2)", () => {
    const refund: ListedEvent = {
      event_id: "e",
      event: "refund.completed",
      data: { refund_id: "r", transaction_id: "t" },
    }
    expect([typeOf(refund), subjectOf(refund)]).toEqual(["refund.completed", "r"])
    const paid: ListedEvent = { event_id: "e", event_type: "payment.succeeded", data: { transaction_id: "t" } }
    expect([typeOf(paid), subjectOf(paid)]).toEqual(["payment.succeeded", "t"])
  })
})

describe("a delivery", () => {
  let server: Server
  let url: URL
  let respond: (response: ServerResponse) => void
  const received: { genuine: boolean; body: string }[] = []
  const secret = newWebhookSecret()

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) {
        chunks.push(chunk as Buffer)
      }
      const body = Buffer.concat(chunks)
      received.push({ genuine: verifyWebhook(body, request.headers, secret), body: body.toString("utf8") })
      respond(response)
    })
    await new Promise<void>((done) => server.listen(0, "localhost", done))
    url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/hook`)
  })
  beforeEach(() => {
    received.length = 0
    respond = (response) => response.writeHead(200).end("thanks")
  })
  afterAll(() => new Promise((done) => server.close(done)))

  const { signal } = new AbortController()

  it("is signed as the gateway signs: the receiver's verification accepts it", async () => {
    const sent = event("a")
    expect(await deliver(url, secret, sent, signal)).toMatchObject({ delivered: true, status: 200, answer: "thanks" })
    expect(received).toEqual([{ genuine: true, body: JSON.stringify(sent) }])
  })

  it("with another secret it is not genuine", async () => {
    await deliver(url, newWebhookSecret(), event("a"), signal)
    expect(received.map(({ genuine }) => genuine)).toEqual([false])
  })

  it.each([201, 204, 301, 404, 500])("decisions: Webhooks — %i is no acknowledgement", async (status) => {
    respond = (response) => response.writeHead(status, { Location: "/elsewhere" }).end()
    expect(await deliver(url, secret, event("a"), signal)).toMatchObject({ delivered: false, status })
    expect(received).toHaveLength(1)
  })

  it("nobody listens: no status, and the reason", async () => {
    const nobody = new URL("http://localhost:9")
    expect(await deliver(nobody, secret, event("a"), signal)).toMatchObject({ delivered: false, status: null })
  })

  it("a receiver that never answers is left when the command is stopped", async () => {
    respond = () => stopping.abort()
    const stopping = new AbortController()
    const delivery = await deliver(url, secret, event("a"), stopping.signal)
    expect(delivery).toMatchObject({ delivered: false, status: null })
    server.closeAllConnections()
  })

  it("a secret is one that verifyWebhook takes", () => {
    expect(isWebhookSecret(secret)).toBe(true)
    expect(["", "whsec_", "whsec_short", secret.slice(6), `${secret} `].map(isWebhookSecret)).toEqual(
      Array(5).fill(false)
    )
  })
})
