import { writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const profiler = new Session()

function collectGarbage() {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}

/**
 * What every process under load answers: the processor time it has used; its memory (`rss`, at once), and what of it is still held after
 * a garbage collection, in bytes; a CPU profile of itself.
 */
const ANSWERS = {
  cpu: () => process.cpuUsage(),
  rss: () => process.memoryUsage.rss(),
  memory: () => {
    const { rss } = process.memoryUsage()
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return { rss, held: heapUsed + external }
  },
  startProfile: async () => {
    profiler.connect()
    await profiler.post("Profiler.enable")
    await profiler.post("Profiler.start")
  },
  stopProfile: async (path) => {
    const { profile } = await profiler.post("Profiler.stop")
    profiler.disconnect()
    writeFileSync(path, JSON.stringify(profile))
  },
}

/** Answers requests over IPC: `{ id, ask, with }` with `{ id, answer }`, or with `{ id, failed }`. */
export function answerAsked(own = {}) {
  const answers = { ...ANSWERS, ...own }
  process.on("message", async ({ id, ask, with: input }) => {
    try {
      process.send({ id, answer: await answers[ask](input) })
    } catch (error) {
      process.send({ id, failed: String(error?.stack ?? error) })
    }
  })
}
