// Loaded with --require into a process that is started with --expose-gc: SIGUSR2 makes it say what it keeps in memory.
let reading = 0
process.on("SIGUSR2", () => {
  global.gc()
  const { heapUsed, rss } = process.memoryUsage()
  process.stdout.write(`${JSON.stringify({ reading: ++reading, heap_used: heapUsed, rss })}\n`)
})
