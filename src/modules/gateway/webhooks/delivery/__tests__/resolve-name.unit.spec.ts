import { createSocket, type Socket } from "node:dgram"
import { lookup, type LookupAddress } from "node:dns"
import type { AddressInfo } from "node:net"
import { promisify } from "node:util"
import { resolveByNameServers } from "../resolve-name"

const TYPE_A = 1
const TYPE_AAAA = 28
const NO_SUCH_NAME = 3
const HEADER_BYTES = 12

/** Answers from `records` by name and type; a name that it does not have does not exist; `silent` names are not answered. */
class NameServer {
  readonly asked: string[] = []
  private readonly socket: Socket = createSocket("udp4")

  constructor(private readonly records: Record<string, Partial<Record<number, number[]>>>) {
    this.socket.on("message", (question, { port, address }) => {
      const answer = this.answerTo(question)
      if (answer !== null) {
        this.socket.send(answer, port, address)
      }
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.socket.bind(0, "127.0.0.1", done))
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`
  }

  close(): void {
    this.socket.close()
  }

  private answerTo(question: Buffer): Buffer | null {
    let end = HEADER_BYTES
    const labels: string[] = []
    while (question[end] !== 0) {
      labels.push(question.toString("latin1", end + 1, end + 1 + question[end]))
      end += 1 + question[end]
    }
    const name = labels.join(".").toLowerCase()
    const type = question.readUInt16BE(end + 1)
    this.asked.push(`${name} ${type}`)
    if (name.startsWith("silent")) {
      return null
    }
    const known = this.records[name]
    const address = known?.[type]
    const header = Buffer.from(question.subarray(0, HEADER_BYTES))
    header.writeUInt16BE(0x8180 | (known === undefined ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(address === undefined ? 0 : 1, 6)
    header.writeUInt32BE(0, 8)
    const asked = question.subarray(HEADER_BYTES, end + 5)
    // The name is a pointer to the question's; class IN, valid for a minute.
    const record = (bytes: number[]) =>
      Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes])
    return Buffer.concat([header, asked, ...(address === undefined ? [] : [record(address)])])
  }
}

const server = new NameServer({
  "both.example": { [TYPE_A]: [192, 0, 2, 7], [TYPE_AAAA]: [0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 1] },
  "old.example": { [TYPE_A]: [192, 0, 2, 8] },
  "empty.example": {},
})
let address = ""
beforeAll(async () => {
  address = await server.listen()
})
afterAll(() => server.close())

const resolved = (name: string) =>
  new Promise<{ code?: string; addresses: LookupAddress[] }>((done) =>
    resolveByNameServers([address])(name, (error, addresses) =>
      done({ code: (error as NodeJS.ErrnoException | null)?.code, addresses })
    )
  )

describe("the names of receivers", () => {
  it.each([
    [
      "both.example",
      [
        { address: "192.0.2.7", family: 4 },
        { address: "2001:db8::1", family: 6 },
      ],
      undefined,
    ],
    ["old.example", [{ address: "192.0.2.8", family: 4 }], undefined],
    ["empty.example", [], "ENODATA"],
    ["unknown.example", [], "ENOTFOUND"],
    ["localhost", [{ address: "127.0.0.1", family: 4 }], undefined],
    ["shop.LOCALHOST.", [{ address: "127.0.0.1", family: 4 }], undefined],
  ])("%s", async (name, addresses, code) => {
    expect(await resolved(name)).toEqual({ code, addresses })
  })

  it("a name server that cannot be reached says nothing about the name", async () => {
    const nobody = createSocket("udp4")
    await new Promise<void>((done) => nobody.bind(0, "127.0.0.1", done))
    const { port } = nobody.address()
    await new Promise<void>((done) => nobody.close(done))
    const code = await new Promise((done) =>
      resolveByNameServers([`127.0.0.1:${port}`])("shop.example", (error) =>
        done((error as NodeJS.ErrnoException | null)?.code)
      )
    )
    expect(code).toBe("LOOKUP_FAILED")
  }, 60_000)

  it("no name server is asked for localhost", () => {
    expect(server.asked.filter((question) => /localhost/i.test(question))).toEqual([])
  })

  it("names whose servers are silent keep no other lookup of the process waiting", async () => {
    const silent = Promise.all(Array.from({ length: 16 }, (_, index) => resolved(`silent-${index}.example`)))
    let isOver = false
    void silent.then(() => (isOver = true))
    await promisify(lookup)("localhost")
    expect(isOver).toBe(false)
    for (const answer of await silent) {
      expect(answer).toEqual({ code: "LOOKUP_FAILED", addresses: [] })
    }
  }, 60_000)
})
