import { createHash } from "node:crypto"
import { createServer } from "node:http"

/** A merchant's receiver of webhooks on this machine, and its record of what arrived. */
export class Receiver {
  /** By the event's id: `{ times, content }`, how often it arrived and what it was. */
  events = new Map()
  /** Repetitions that differed from the first arrival. */
  changed = 0
  #server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString("utf8")
    this.#note(JSON.parse(text).event_id, createHash("sha256").update(text).digest("base64"))
    response.end()
  })

  /** Its address, once it listens. */
  async open() {
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", done))
    return `http://127.0.0.1:${this.#server.address().port}/`
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #note(id, content) {
    const known = this.events.get(id) ?? { times: 0, content }
    known.times += 1
    this.changed += known.content === content ? 0 : 1
    this.events.set(id, known)
  }
}
