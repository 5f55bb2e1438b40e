import { createServer, type RequestListener, type Server } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { ConnectionGuard } from "../connections"
import { serverSettings } from "../../kernel/http/server-settings"

const SECOND = 1_000

let guard: ConnectionGuard
const servers: Server[] = []

beforeEach(() => {
  guard = new ConnectionGuard(
    serverSettings.parse({
      headersSeconds: 7,
      requestSeconds: 77,
      bodySeconds: 1,
      keepAliveSeconds: 9,
      answerSeconds: 1,
    })
  )
  guard.start()
})

afterEach(async () => {
  guard.stop()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

async function serve(listener: RequestListener, options = {}): Promise<{ server: Server; port: number }> {
  const server = createServer(options, listener)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return { server, port: (server.address() as AddressInfo).port }
}

const ask = (port: number) => fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
const limitsOf = (server: Server) => [server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]

describe("The time limits of the store's http server", () => {
  it("are set with its first connection", async () => {
    const { server, port } = await serve((_request, response) => response.end("ok"))
    await ask(port)
    expect(limitsOf(server)).toEqual([7 * SECOND, 77 * SECOND, 9 * SECOND])
  })

  it("stay as a host has chosen them", async () => {
    const { server, port } = await serve((_request, response) => response.end("ok"), {
      headersTimeout: 11_000,
      requestTimeout: 600_000,
    })
    await ask(port)
    expect(limitsOf(server)).toEqual([11 * SECOND, 600 * SECOND, 9 * SECOND])
  })

  it("are Node's own once the guard has stopped", async () => {
    guard.stop()
    const { server, port } = await serve((_request, response) => response.end("ok"))
    await ask(port)
    expect(limitsOf(server)).toEqual([60 * SECOND, 300 * SECOND, 5 * SECOND])
  })

  it("a head may not take longer than the whole request", () => {
    expect(serverSettings.safeParse({ headersSeconds: 20, requestSeconds: 10 }).success).toBe(false)
  })
})

describe("A client that does not read its answer", () => {
  it("loses its connection", async () => {
    const { port } = await serve((_request, response) => response.end(Buffer.alloc(50_000_000)))
    const socket = connect(port, "127.0.0.1").pause()
    socket.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await new Promise<void>((done) => servers[0].once("connection", (connection) => connection.once("close", done)))
    socket.destroy()
  })
})

describe("decision 24: requests that a client sends ahead", () => {
  const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  it("are answered one after another, in their order, each after the one before it has left", async () => {
    let underWay = 0
    const most: number[] = []
    const targets: string[] = []
    const { port } = await serve((request, response) => {
      most.push((underWay += 1))
      targets.push(request.url ?? "")
      response.once("finish", () => (underWay -= 1))
      setImmediate(() => response.end(request.url))
    })
    const socket = connect(port, "127.0.0.1")
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`)
    let text = ""
    socket.on("data", (part) => (text += part.toString()))
    socket.write(paths.map((path) => REQUEST.replace("/", path)).join(""))
    socket.write(REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    await new Promise((done) => socket.once("close", done))
    expect([Math.max(...most), targets]).toEqual([1, [...paths, "/"]])
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(paths.length + 1)
  })

  it("wait while the client does not read, and are never begun when it has left", async () => {
    let begun = 0
    const { server, port } = await serve((_request, response) => {
      begun += 1
      response.end(Buffer.alloc(50_000_000))
    })
    const closed = new Promise<void>((done) => server.once("connection", (one) => one.once("close", done)))
    const socket = connect(port, "127.0.0.1").pause()
    socket.on("error", () => undefined).write(REQUEST.repeat(50))
    await closed
    socket.destroy()
    expect(begun).toBe(1)
  })

  it("end the connection when there are more of them than may wait; another client is answered", async () => {
    let begun = 0
    const { port } = await serve((request, response) => {
      begun += 1
      if (request.url === "/other") {
        response.end("other")
      }
    })
    const socket = connect(port, "127.0.0.1")
    socket.on("error", () => undefined).write(REQUEST.repeat(1_000))
    await new Promise((done) => socket.once("close", done))
    expect(begun).toBe(1)
    expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe("other")
  })
})

describe("A target that is no URL", () => {
  it.each([
    ["http://[::1/api/v2?x=1", "/api/v2?x=1"],
    ["http://localhost:99999", "/"],
    ["http://localhost/api/v2", "http://localhost/api/v2"],
    ["/api/v2//x:y", "/api/v2//x:y"],
    ["*", "*"],
  ])("%s is %s for the application", async (target, seen) => {
    const targets: (string | undefined)[] = []
    const { port } = await serve((request, response) => {
      targets.push(request.url)
      response.end()
    })
    const socket = connect(port, "127.0.0.1").resume()
    socket.write(`OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await new Promise((done) => socket.once("close", done))
    expect(targets).toEqual([seen])
  })
})

describe("A body that does not arrive (docs/decisions/24)", () => {
  /** The first line of the answer to the half of a body; null while there is none. */
  async function answerToHalf(port: number, path: string, seconds: number): Promise<string | null> {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    socket.on("data", (part) => (answer += part.toString()))
    socket.write(`POST ${path} HTTP/1.1\r\nHost: shop\r\nContent-Length: 10\r\n\r\nhalf`)
    for (const until = Date.now() + seconds * SECOND; answer === "" && Date.now() < until;) {
      await new Promise((done) => setTimeout(done, 20))
    }
    socket.destroy()
    return answer === "" ? null : answer.split("\r\n")[0]
  }

  it.each([
    "/admin/gateway/disputes/gdp_1",
    "/admin/gateway/disputes/gdp_1/filesystem",
    "/admin/gateway/disputes/files",
    "/admin/gateway/settlements/imports/gsi_1/undo",
    "/store/gateway/payments?files=/disputes/gdp_1/files",
  ])("on %s is answered 408", async (path) => {
    const { port } = await serve(() => undefined)
    expect(await answerToHalf(port, path, 60)).toBe("HTTP/1.1 408 Request Timeout")
  })

  it.each([
    "/admin/gateway/disputes/gdp_1/files?kind=receipt",
    "/admin/gateway/disputes/gdp_1/files/",
    "/admin/gateway/settlements/imports?file_name=week.csv",
    "/api/v2/x",
  ])("on %s is left to the reader there, which has a limit of its own", async (path) => {
    const { port } = await serve(() => undefined)
    expect(await answerToHalf(port, path, 2)).toBeNull()
  })
})
