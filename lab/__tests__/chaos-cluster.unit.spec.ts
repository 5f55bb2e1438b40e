import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http"
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { load } from "../../scripts/__tests__/load.cjs"

const FOLDER = join(__dirname, "../chaos/cluster")
const script = <T>(name: string) => load<T>(join(FOLDER, `${name}.mjs`))
const closing: (() => void)[] = []

afterEach(() => closing.splice(0).forEach((close) => close()))

/** A server that answers each line with its name and the line. */
async function echo(name: string): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("data", (data) => socket.write(`${name}:${data.toString()}`))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe("a network that can fail", () => {
  type Link = {
    open(): Promise<number>
    stall(): void
    resume(): void
    cut(): void
    leadTo(port: number): void
    close(): void
  }

  async function linked(name: string): Promise<{ link: Link; client: () => Promise<Socket> }> {
    const { Link } = await script<{ Link: new (target: number) => Link }>("link")
    const link = new Link(await echo(name))
    const port = await link.open()
    closing.push(() => link.close())
    const client = async () => {
      const socket = connect({ port, host: "127.0.0.1" })
      socket.on("error", () => undefined)
      closing.push(() => socket.destroy())
      await once(socket, "connect")
      return socket
    }
    return { link, client }
  }

  const ended = (socket: Socket) => new Promise((done) => socket.once("close", done))
  const asked = async (socket: Socket, text: string) => {
    socket.write(text)
    const [answer] = (await once(socket, "data")) as [Buffer]
    return answer.toString()
  }

  it("passes everything on, to another server once it leads there", async () => {
    const { link, client } = await linked("old")
    const before = await client()
    expect(await asked(before, "1")).toBe("old:1")
    const closed = ended(before)
    link.leadTo(await echo("new"))
    await closed
    expect(await asked(await client(), "2")).toBe("new:2")
  })

  it("stalls what runs and what comes, breaks nothing, and delivers all of it afterwards", async () => {
    const { link, client } = await linked("server")
    const running = await client()
    expect(await asked(running, "1")).toBe("server:1")
    link.stall()
    const coming = await client()
    const answers: string[] = []
    for (const [socket, text] of [
      [running, "2"],
      [coming, "3"],
    ] as const) {
      socket.on("data", (data: Buffer) => answers.push(data.toString()))
      socket.write(text)
    }
    await sleep(100)
    expect(answers).toEqual([])
    link.resume()
    await Promise.all([once(running, "data"), once(coming, "data")])
    expect(answers.sort()).toEqual(["server:2", "server:3"])
  })

  it("breaks all connections, and takes new ones", async () => {
    const { link, client } = await linked("server")
    const socket = await client()
    await asked(socket, "1")
    const closed = ended(socket)
    link.cut()
    await closed
    expect(await asked(await client(), "2")).toBe("server:2")
  })
})

describe("a clock that is wrong", () => {
  it("is wrong wherever a program asks for the time, and nowhere else", () => {
    const program = `const given = new Date(1000)
      console.log(JSON.stringify([Date.now(), new Date().getTime(), Date.parse(Date()), given.getTime(),
        given instanceof Date, Date.UTC(2026, 0), new Date(2026, 0, 2).getDate()]))`
    const output = execFileSync(process.execPath, ["--require", join(FOLDER, "skewed-clock.cjs"), "-e", program], {
      encoding: "utf8",
      env: { ...process.env, CLOCK_SKEW_SECONDS: "-3600", NODE_OPTIONS: "" },
    })
    const [now, made, text, ...others] = JSON.parse(output) as [number, number, number, ...unknown[]]
    for (const moment of [now, made, text]) {
      expect(Math.abs(moment + 3_600_000 - Date.now())).toBeLessThan(60_000)
    }
    expect(others).toEqual([1000, true, Date.UTC(2026, 0), 2])
  })
})

describe("a client of a deployment that fails", () => {
  type Answers = { counts: Map<unknown, number>; faults: { what: unknown }[]; unanswered: number }
  type Caller = { ask(method: string, path: string, request?: { key?: string; body?: unknown }): Promise<unknown> }
  type Module = {
    Answers: new () => Answers
    Caller: new (url: string, headers: Record<string, string>, answers: Answers) => Caller
  }

  /** Answers one status after the other; 0 breaks the connection. */
  async function failing(statuses: [status: number, body?: unknown][]) {
    const keys: unknown[] = []
    const server: Server = createHttpServer((request: IncomingMessage, response) => {
      keys.push(request.headers["idempotency-key"])
      const [status, body = {}] = statuses[keys.length - 1]
      if (status === 0) {
        request.socket.destroy()
      } else {
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body))
      }
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    closing.push(() => server.close())
    const { Answers, Caller } = await script<Module>("caller")
    const answers = new Answers()
    return {
      keys,
      answers,
      caller: new Caller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, answers),
    }
  }

  it("repeats under the same key what nobody can know the outcome of, and counts each failure", async () => {
    const inUse = { error: { code: "IDEMPOTENCY_KEY_IN_USE" } }
    const { keys, answers, caller } = await failing([[0], [502], [409, inUse], [200, { data: 1 }]])
    expect(await caller.ask("POST", "/payments/checkout", { key: "one", body: {} })).toEqual({ data: 1 })
    expect(keys).toEqual(["one", "one", "one", "one"])
    expect(answers.faults.map(({ what }) => what)).toEqual(["UND_ERR_SOCKET", 502])
    expect(answers.unanswered).toBe(0)
  })

  it("takes a refusal for an answer", async () => {
    const { keys, answers, caller } = await failing([[400, { error: { code: "REFUND_EXCEEDED" } }]])
    expect(await caller.ask("POST", "/payments/refund", { key: "two" })).toBeNull()
    expect(keys).toHaveLength(1)
    expect([...answers.counts.keys()]).toEqual(["400 REFUND_EXCEEDED of POST /payments/refund"])
  })
})

describe("the record of clients", () => {
  it("finds a payment that went back, and none where two looks overlapped", async () => {
    type Look = { from: number; to: number; status: string }
    type Clients = { orders: Map<string, { order_id: string; looks: Look[] }>; wentBack(): unknown[] }
    const { Clients } = await script<{ Clients: new (...args: unknown[]) => Clients }>("clients")
    const clients = new Clients()
    const look = (from: number, to: number, status: string) => ({ from, to, status })
    const note = (order_id: string, ...looks: Look[]) => clients.orders.set(order_id, { order_id, looks })
    note("right", look(1, 2, "PENDING"), look(3, 4, "SUCCESS"), look(5, 6, "REFUNDED"))
    note("overlapping", look(1, 5, "SUCCESS"), look(2, 3, "PENDING"))
    note("wrong", look(1, 2, "SUCCESS"), look(3, 4, "PENDING"))
    expect(clients.wentBack()).toEqual([{ order_id: "wrong", status: "PENDING" }])
  })
})
