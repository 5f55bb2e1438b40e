import type { Socket } from "node:net"

/** An answer that another one follows (RFC 9110, 15.2): 100 Continue, 103 Early Hints. Not 101, which ends HTTP. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/
const STARTS = ["HTTP/1.0 1", "HTTP/1.1 1"]
const STATUS_LINE_BYTES = "HTTP/1.1 100 ".length
const END = "\r\n\r\n"
/** As long as a head may be for undici. A longer one is left to it to refuse. */
const HEAD_MAX_BYTES = 16_384

/**
 * Leaves interim answers out of what undici reads from a connection: undici breaks the connection at an unasked `100
 * Continue`, which some receivers send all the same, and their final answer would be lost. There is one request at a time
 * on a connection, so each head begins with the first bytes that follow a written request.
 */
export function withoutInterimAnswers<Connection extends Socket>(socket: Connection): Connection {
  let held: Buffer | null = null
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  socket.write = (...args: unknown[]) => {
    held ??= Buffer.alloc(0)
    return write(...args)
  }
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size)
    if (held === null || chunk === null) {
      return chunk
    }
    const rest = afterInterim(Buffer.concat([held, chunk]))
    held = rest.isFinal ? null : rest.bytes
    return rest.isFinal ? rest.bytes : null
  }
  return socket
}

/** `isFinal`: the bytes begin with an answer that is to be read. Otherwise more of them are needed. */
function afterInterim(bytes: Buffer): { bytes: Buffer; isFinal: boolean } {
  let rest = bytes
  while (INTERIM.test(rest.toString("latin1", 0, STATUS_LINE_BYTES))) {
    const end = rest.indexOf(END)
    if (end === -1) {
      return { bytes: rest, isFinal: rest.length > HEAD_MAX_BYTES }
    }
    rest = rest.subarray(end + END.length)
  }
  return { bytes: rest, isFinal: !mayBecomeInterim(rest) }
}

function mayBecomeInterim(bytes: Buffer): boolean {
  const begun = bytes.toString("latin1", 0, STARTS[0].length)
  return bytes.length < STATUS_LINE_BYTES && STARTS.some((start) => start.startsWith(begun))
}
