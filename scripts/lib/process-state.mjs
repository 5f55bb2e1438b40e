import * as fs from "node:fs"

/** Number of files and sockets that a process has open. */
export function openHandles(pid) {
  return fs.readdirSync(`/proc/${pid}/fd`).length
}

/** Resident memory of a process in bytes; null once it is gone. */
export function residentBytes(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024
  } catch {
    return null
  }
}

const LISTENING = "0A"

/** Number of sockets of a process that its clients have connected to at this port, whatever their state. */
export function clientSockets(pid, port) {
  const own = new Set(fs.readdirSync(`/proc/${pid}/fd`).map((fd) => inodeOf(`/proc/${pid}/fd/${fd}`)))
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return ["tcp", "tcp6"]
    .flatMap((table) => fs.readFileSync(`/proc/${pid}/net/${table}`, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state, , , , , , inode]) => address.endsWith(local) && state !== LISTENING && own.has(inode))
    .length
}

function inodeOf(path) {
  try {
    return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(path))?.[1]
  } catch {
    return undefined // closed meanwhile
  }
}

/** The processor time that a process has used, in milliseconds; Linux counts in hundredths of a second. */
export function processorMs(pid) {
  // The program's name, in parentheses, may contain spaces.
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}
