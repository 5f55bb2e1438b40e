import { connected } from "../../scripts/lib/database.mjs"
import { Complaint } from "../../scripts/lib/console.mjs"
import { SCENARIOS } from "./scenarios.mjs"

/** These differ from order to order or depend on the time. */
const OWN = ["id", "session_id", "merchant_id", "order_id", "opened_at", "expires_at", "created_at", "updated_at"]

const CHECKOUTS = ["raw-keyed-checkout", "raw-checkout"]
const VERIFIES = ["raw-keyed-verify", "raw-verify"]

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
  const rows = [
    await read("gateway_checkout_session", data.session_id),
    await read("gateway_transaction", data.transaction_id),
  ]
  return JSON.stringify(rows, (name, value) => (OWN.includes(name) ? undefined : value))
}

/** Gives the peer that runs the gateway's own statements their text, as the store's connections have prepared it. */
export async function giveStatements({ url, context, server, overhead }) {
  await answerOf(url, context, "checkout")
  await overhead.server.ask("useStatements", await server.ask("statements"))
}

/**
 * A comparison is valid only when both sides do the same work: checks that the peers write and answer what the gateway
 * does.
 */
export async function checkPeers({ url, context, database }) {
  const ask = (name) => answerOf(url, context, name)
  await connected(database, async (client) => {
    const ours = await rowsOf(client, await ask("checkout"))
    for (const peer of CHECKOUTS) {
      const theirs = await rowsOf(client, await ask(peer))
      if (ours !== theirs) {
        throw new Complaint(`${peer} does not write the rows that the gateway writes:\n${ours}\n${theirs}`)
      }
    }
  })
  // The same transaction on both sides: a failed one has members that a paid one has not.
  const membersOf = async (name) => Object.keys((await answerOf(url, { ...context, number: 1 }, name)).data)
  const ours = await membersOf("verify")
  for (const peer of VERIFIES) {
    const theirs = await membersOf(peer)
    if (!theirs.every((name) => ours.includes(name))) {
      throw new Complaint(`${peer} does not answer what the gateway answers: ${theirs} instead of ${ours}`)
    }
  }
}

const REFUND_OWN = [
  ...OWN,
  "transaction_id",
  "acquirer_reference",
  "requested_by",
  "requested_at",
  "completed_at",
  "metadata",
]

/** The rows of one refund: itself, its entries, its events, and its line in the acquirer's book. */
async function refundRowsOf(client, { data: { refund_id } }) {
  const { rows } = await client.query("SELECT * FROM gateway_refund WHERE id = $1", [refund_id])
  const related = [
    "SELECT kind, account, amount_minor FROM gateway_ledger_entry WHERE refund_id = $1 ORDER BY kind, account",
    "SELECT event_type FROM gateway_event WHERE resource_id = $1 ORDER BY event_type",
    "SELECT outcome, amount_minor, tries FROM gateway_sandbox_operation WHERE kind = 'refund' AND key = $1",
  ]
  const others = []
  for (const query of related) {
    others.push((await client.query(query, [refund_id])).rows)
  }
  return JSON.stringify([rows, ...others], (name, value) => (REFUND_OWN.includes(name) ? undefined : value))
}

/** Like `checkPeers`, for refunds. */
export async function checkRefundPeers({ url, context, database }) {
  const rowsOfOne = async (client, name) => refundRowsOf(client, await answerOf(url, context, name))
  await connected(database, async (client) => {
    const ours = await rowsOfOne(client, "refund-hot")
    const theirs = await rowsOfOne(client, "raw-refund-hot")
    if (ours !== theirs) {
      throw new Complaint(`raw-refund-hot does not write the rows that the gateway writes:\n${ours}\n${theirs}`)
    }
  })
}
