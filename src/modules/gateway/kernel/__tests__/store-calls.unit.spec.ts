import type { Database } from "../database"
import type { SecretBox } from "../secret-box"
import { StoreCallService } from "../store-calls"
import type { Cradle } from "../types"

describe("what an API process asks of a store process (decisions/0069)", () => {
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
