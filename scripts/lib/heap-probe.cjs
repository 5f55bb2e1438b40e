/*
 * Loaded before the store (NODE_OPTIONS): at SIGUSR2 it collects garbage and writes what is still held, in bytes, to
 * HEAP_REPORT_FILE. What a process keeps shows only after a collection: between two of them the heap is mostly waste.
 * One collection is not enough: sockets and HTTP parsers are released by callbacks that run after it, and what they
 * referred to (25 MB after 1,000 long request heads) goes with the next.
 */
const { writeFileSync, renameSync } = require("node:fs")
const { setTimeout: sleep } = require("node:timers/promises")
const { setFlagsFromString } = require("node:v8")
const { runInNewContext } = require("node:vm")

const COLLECTIONS = 3
const BETWEEN_MS = 50

const file = process.env.HEAP_REPORT_FILE
if (file) {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  process.on("SIGUSR2", async () => {
    for (let done = 0; done < COLLECTIONS; done++) {
      collect()
      await sleep(BETWEEN_MS)
    }
    const { heapUsed, external } = process.memoryUsage()
    // Renamed when it is whole: the reader looks at any moment.
    writeFileSync(`${file}.part`, JSON.stringify({ held: heapUsed + external }))
    renameSync(`${file}.part`, file)
  })
}
