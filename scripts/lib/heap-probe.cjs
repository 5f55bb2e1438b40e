/*
 * Loaded before the store (NODE_OPTIONS): at SIGUSR2 it collects garbage and writes what is still held, in bytes, to
 * HEAP_REPORT_FILE. What a process keeps shows only after a collection: between two of them the heap is mostly waste.
 */
const { writeFileSync, renameSync } = require("node:fs")
const { setFlagsFromString } = require("node:v8")
const { runInNewContext } = require("node:vm")

const file = process.env.HEAP_REPORT_FILE
if (file) {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  process.on("SIGUSR2", () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    // Renamed when it is whole: the reader looks at any moment.
    writeFileSync(`${file}.part`, JSON.stringify({ held: heapUsed + external }))
    renameSync(`${file}.part`, file)
  })
}
