import type { Database } from "../database"
import { UnreadableSecret, type SecretBox } from "../secret-box"
import { StoreCallService } from "../store-calls"
import type { Cradle } from "../types"

describe("what an API process asks of a store process (docs/decisions/0069)", () => {
  it("a call that cannot be decrypted does not keep the others from being done", async () => {
    const rows = ["wrong", '{"session_id":"ses_1"}'].map((input, index) => ({ id: `gsc_${index}`, kind: "pay", input }))
    const open = (text: string) => {
      if (text === "wrong") {
        throw new UnreadableSecret("no key")
      }
      return text
    }
    const calls = new StoreCallService({
      database: { query: () => Promise.resolve(rows) } as unknown as Database,
      secretBox: { open } as unknown as SecretBox,
    } as unknown as Cradle)
    const [unreadable, readable] = await calls.claim(["pay"], 16)
    expect(unreadable.input).toThrow("no key")
    expect(readable.input()).toEqual({ session_id: "ses_1" })
  })

  it("a fault names the call, under which the store's log has its cause", async () => {
    let id = ""
    const query = (text: string, [value]: string[]) => {
      if (text.includes("INSERT INTO gateway_store_call")) {
        id = value
        return Promise.resolve([])
      }
      return Promise.resolve([{ answer: JSON.stringify({ fault: "no such table" }) }])
    }
    const same = (text: string) => text
    const calls = new StoreCallService({
      database: { query } as unknown as Database,
      secretBox: { seal: same, open: same } as unknown as SecretBox,
    } as Cradle)
    const failure = await calls.ask("move_clock", {}).catch((error: Error) => error.message)
    expect(id).toMatch(/^gsc_/)
    expect(failure).toBe(`a store process failed (call ${id}): no such table`)
  })
})
