import { AsyncResource } from "node:async_hooks"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How many requests of a connection may wait for the one under way. No browser sends any ahead; clients send some tens. */
const MOST_WAITING = 100

/** Takes requests of the store's http server before its application does. */
export type Door = {
  /** Whether it takes this one, and so will answer it. */
  takes(request: IncomingMessage, response: ServerResponse): boolean
  /** Resolves when nothing that it has taken is under way any more. */
  settled(): Promise<unknown>
}

type Begin = () => void
type Connection = { isAnswering: boolean; waiting: Begin[] }

/**
 * Has the requests of a connection answered one after another: the next begins when the response before it has left the
 * process. Node calls the application for every request that it has read; a client that sends a thousand ahead and reads
 * nothing would have a thousand responses kept in memory. One that sends more ahead than may wait loses its connection.
 * Call it once for a server, after the application has added its listeners: the first is the application, which is asked
 * for what the door does not take, and the others only watch.
 */
export function answerInTurn(server: Server, takes: Door["takes"]): void {
  const [application, ...watching] = server.listeners("request")
  const connections = new WeakMap<Socket, Connection>()
  server.removeAllListeners("request")
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket) ?? { isAnswering: false, waiting: [] }
    connections.set(socket, connection)
    const begin = () => {
      connection.isAnswering = true
      response.once("close", () => beginNext(connection, socket))
      watching.forEach((listener) => void listener.call(server, request, response))
      if (!takes(request, response)) {
        application?.call(server, request, response)
      }
    }
    if (!connection.isAnswering) {
      begin()
    } else if (connection.waiting.length < MOST_WAITING) {
      // Bound to this request: a trace of the response before it must not go on in this one.
      connection.waiting.push(AsyncResource.bind(begin))
    } else {
      socket.destroy()
    }
  })
}

function beginNext(connection: Connection, socket: Socket): void {
  connection.isAnswering = false
  if (!socket.writable) {
    connection.waiting.length = 0
  }
  connection.waiting.shift()?.()
}
