import { writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"

const profiler = new Session()

/** What every process under load answers: the processor time and memory it has used, and a CPU profile of itself. */
const ANSWERS = {
  cpu: () => process.cpuUsage(),
  memory: () => process.memoryUsage(),
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
