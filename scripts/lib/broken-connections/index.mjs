import { BODIES } from "./bodies.mjs"
import { BROKEN_OFF } from "./broken-off.mjs"
import { Connection } from "./connection.mjs"
import { PROTOCOL } from "./protocol.mjs"

export { SLOW } from "./broken-off.mjs"
export { Connection } from "./connection.mjs"
export { bytesOf, requestFamilies } from "./requests.mjs"

const PARALLEL = 20

/**
 * The ways in which clients break an exchange: `{ name, play(connection, { request, random }) }`. `play` answers what is
 * wrong with the server, in words, or nothing.
 */
export const KINDS = [...BROKEN_OFF, ...BODIES, ...PROTOCOL]

/**
 * Makes `count` connections of one kind, at most 20 at a time, and waits until all of them are closed: neither side
 * may keep one that the other has ended.
 * @param kind one of KINDS or SLOW
 * @param request makes what a client in order would send: one of requestFamilies
 * @returns `[{ answer, wrong }]`: what each got until it was closed, and what is wrong with that
 */
export async function breakConnections({ port, host, kind, request, random, count = 1 }) {
  const endings = []
  let begun = 0
  const one = async () => {
    while (begun < count) {
      begun += 1
      const connection = await Connection.open({ port, host })
      const wrong = await kind.play(connection, { request: request(), random })
      const unfinished = await connection.finish()
      endings.push({ answer: connection.text(), wrong: wrong ?? unfinished })
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, PARALLEL) }, one))
  return endings
}
