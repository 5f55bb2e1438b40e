import { Writable } from "node:stream"
import { dropUnwritableLines } from "../http/log-output"

/** A file on a disk that may be full; as Node's stdout, it can be written to again after an error. */
class Disk extends Writable {
  text = ""
  isFull = false

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.isFull) {
      done(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }))
      return
    }
    this.text += chunk.toString()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error)
    ;(this as unknown as { _undestroy(): void })._undestroy()
  }
}

const turn = () => new Promise((done) => setImmediate(done))

describe("decision 24: lines that cannot be written", () => {
  const before = process.env.NODE_ENV
  let disk: Disk

  beforeEach(() => {
    process.env.NODE_ENV = "production"
    disk = new Disk()
    dropUnwritableLines([disk])
  })
  afterEach(() => {
    process.env.NODE_ENV = before
  })

  const notices = () => disk.text.split("\n").filter((line) => line.includes("could not be written"))

  it("are dropped without an uncaught error; whoever wrote them is told", async () => {
    disk.isFull = true
    const told = jest.fn()
    disk.write("one\n", told)
    await turn()
    disk.write("two\n", "utf8", told)
    await turn()
    expect(told.mock.calls).toEqual([
      [expect.objectContaining({ code: "ENOSPC" })],
      [expect.objectContaining({ code: "ENOSPC" })],
    ])
    expect(disk.text).toBe("")
  })

  it("are counted, and one line says how many are missing once there is room, on a line of its own", async () => {
    disk.write("a line that is cut o")
    disk.isFull = true
    for (const lines of ["one\n", "two\nthree\n", Buffer.from("four\n"), "five"]) {
      disk.write(lines)
      await turn()
    }
    disk.isFull = false
    disk.write("six\n")
    await turn()
    disk.write("seven\n")
    await turn()
    const [cut, six, notice, seven, ...rest] = disk.text.split("\n")
    expect([cut, six, seven, rest]).toEqual(["a line that is cut o", "six", "seven", [""]])
    expect(JSON.parse(notice)).toEqual({
      level: "warn",
      message: "gateway: 5 lines of the log could not be written (ENOSPC) and are missing here",
      timestamp: expect.any(String),
    })
  })

  it("each time anew, and without one there is no such line", async () => {
    for (const count of [1, 2]) {
      disk.isFull = true
      for (let left = count; left > 0; left -= 1) {
        disk.write("lost\n")
        await turn()
      }
      disk.isFull = false
      disk.write("kept\n")
      await turn()
    }
    expect(notices().map((line) => /gateway: \d+/.exec(line)?.[0])).toEqual(["gateway: 1", "gateway: 2"])
    disk.text = ""
    disk.write("kept\n")
    await turn()
    expect(disk.text).toBe("kept\n")
  })

  it("an output is guarded once, whoever asks", async () => {
    dropUnwritableLines([disk])
    disk.isFull = true
    disk.write("lost\n")
    await turn()
    disk.isFull = false
    disk.write("kept\n")
    await turn()
    expect(notices()).toHaveLength(1)
  })
})
