// Loaded with --require into a process that was started with an IPC channel: it must not outlive its parent,
// however the parent ended. The system closes the channel then. SIGTERM gives the store its graceful end.
process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM")
  setTimeout(() => process.exit(1), 20_000).unref()
})
// The open channel alone must not keep a process running that has nothing left to do.
process.channel?.unref()
