import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { newWebhookSecret, verifyWebhook } from "../../modules/gateway/webhooks/signature"
import {
  EventFeed,
  type EventPage,
  type ListedEvent,
  PAGE_SIZE,
  deliver,
  isWebhookSecret,
  subjectOf,
  typeOf,
} from "../listen/feed"

const event = (id: string): ListedEvent => ({ event_id: id, event_type: "payment.succeeded", data: {} })

/** The gateway's events in the order of reading; `read` counts the pages. */
class Log {
  events: string[] = []
  read = 0
  down = false

  newest = async () => this.events.slice(-1).map(event).at(0)

  after = async (cursor: string): Promise<EventPage | null> => {
    this.read += 1
    if (this.down) {
      throw new Error("down")
    }
    const place = cursor === "start" ? 0 : this.events.indexOf(cursor) + 1
    if (place === 0 && cursor !== "start") {
      return null
    }
    const events = this.events.slice(place, place + PAGE_SIZE).map(event)
    return { events, has_more: this.events.length > place + PAGE_SIZE }
  }

  add(...ids: string[]): void {
    this.events.push(...ids)
  }
}

const ids = (events: ListedEvent[]) => events.map(({ event_id }) => event_id)
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => `e${from + index}`)

describe("the feed of events", () => {
  let log: Log
  let feed: EventFeed
  beforeEach(() => {
    log = new Log()
    feed = new EventFeed(log)
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

  it("an event that comes while the feed begins is new", async () => {
    log.add("a")
    const { newest } = log
    log.newest = async () => {
      const found = await newest()
      log.add("b")
      return found
    }
    await feed.begin()
    expect(ids(await feed.next())).toEqual(["b"])
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
