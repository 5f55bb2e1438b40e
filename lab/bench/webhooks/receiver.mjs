/*
 * The receiver of every measured delivery: it records when each request arrived, by the number in its event, and
 * answers 200 at once. Paths that begin with /hang get no answer. Requests over IPC: `{ id, ask, with }`.
 */
import { createServer } from "node:http"

let arrivals = new Map()
const hanging = new Set()

const server = createServer(async (request, response) => {
  // This clock is the same in every process of a machine.
  const at = Number(process.hrtime.bigint()) / 1e6
  const chunks = []
  for await (const chunk of request) {
    chunks.push(chunk)
  }
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  if (request.url.startsWith("/hang")) {
    hanging.add(response)
    return
  }
  if (!arrivals.has(data.number)) {
    arrivals.set(data.number, at)
  }
  response.end()
})

const answers = {
  count: () => arrivals.size,
  /** What has arrived since the last time: `[[number, milliseconds], ...]`. */
  take: () => {
    const taken = [...arrivals]
    arrivals = new Map()
    return taken
  },
  release: () => {
    hanging.forEach((response) => response.destroy())
    hanging.clear()
  },
}

process.on("message", ({ id, ask }) => process.send({ id, answer: answers[ask]() }))
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }))
