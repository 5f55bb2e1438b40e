import { connected } from "../lib/database.mjs"
import { Complaint } from "../lib/console.mjs"
import { SCENARIOS } from "./scenarios.mjs"

/** Differ from order to order, or follow the moment. */
const OWN = ["id", "session_id", "merchant_id", "order_id", "opened_at", "expires_at", "created_at", "updated_at"]

async function answerOf(url, context, name) {
  const { method, path, headers, body } = SCENARIOS.find((scenario) => scenario.name === name).request(context)
  const response = await fetch(`${url}${path}`, { method, headers, body })
  const text = await response.text()
  if (!response.ok) {
    throw new Complaint(`${name} answers ${response.status}: ${text.slice(0, 500)}`)
  }
  return JSON.parse(text)
}

async function rowsOf(client, { data }) {
  const read = async (table, id) => (await client.query(`SELECT * FROM ${table} WHERE id = $1`, [id])).rows[0]
  const rows = [await read("gateway_checkout_session", data.session_id), await read("gateway_transaction", data.transaction_id)]
  return JSON.stringify(rows, (name, value) => (OWN.includes(name) ? undefined : value))
}

/** A comparison means something only when both sides do the same work: the peers write and answer what the gateway does. */
export async function checkPeers({ url, context, database }) {
  await connected(database, async (client) => {
    const ours = await rowsOf(client, await answerOf(url, context, "checkout"))
    for (const peer of ["raw-keyed-checkout", "raw-checkout"]) {
      const theirs = await rowsOf(client, await answerOf(url, context, peer))
      if (ours !== theirs) {
        throw new Complaint(`${peer} does not write the rows that the gateway writes:\n${ours}\n${theirs}`)
      }
    }
  })
  const ours = Object.keys((await answerOf(url, context, "verify")).data)
  for (const peer of ["raw-keyed-verify", "raw-verify"]) {
    const theirs = Object.keys((await answerOf(url, context, peer)).data)
    if (!theirs.every((name) => ours.includes(name))) {
      throw new Complaint(`${peer} does not answer what the gateway answers: ${theirs} instead of ${ours}`)
    }
  }
}
