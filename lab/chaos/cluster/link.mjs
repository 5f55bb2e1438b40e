import { connect, createServer } from "node:net"

/** The network between a server of the deployment and the others: it can stall, break, and lead to another server. */
export class Link {
  #pairs = new Set()
  #isStalled = false
  #server
  #target

  /** @param target port of this machine that connections are passed on to */
  constructor(target) {
    this.#target = target
    this.#server = createServer((near) => this.#join(near))
  }

  /** The port where it listens. */
  async open() {
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", done))
    return this.#server.address().port
  }

  /** Nothing arrives any more, in either direction, and no connection breaks. New ones are accepted and stall, too. */
  stall() {
    this.#isStalled = true
    for (const { near, far } of this.#pairs) {
      near.unpipe(far).pause()
      far.unpipe(near).pause()
    }
  }

  resume() {
    this.#isStalled = false
    this.#pairs.forEach(flow)
  }

  /** Breaks all connections. */
  cut() {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }

  /** Leads to another port from now on, and breaks what leads to the old one. */
  leadTo(port) {
    this.#target = port
    this.cut()
  }

  close() {
    this.#server.close()
    this.cut()
  }

  #join(near) {
    const far = connect({ port: this.#target, host: "127.0.0.1", noDelay: true })
    const pair = { near, far }
    near.setNoDelay(true)
    this.#pairs.add(pair)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      one.on("error", () => other.destroy())
      one.on("close", () => {
        this.#pairs.delete(pair)
        other.destroy()
      })
    }
    if (!this.#isStalled) {
      flow(pair)
    }
  }
}

function flow({ near, far }) {
  near.pipe(far)
  far.pipe(near)
}
