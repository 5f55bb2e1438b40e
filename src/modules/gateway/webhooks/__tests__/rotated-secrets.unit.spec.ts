import { createSecretKey, randomBytes } from "node:crypto"
import { addSeconds } from "../../kernel/money/clock"
import type { EncryptionKey } from "../../kernel/database/encryption-keys"
import { LIMITS } from "../../kernel/limits"
import { SecretBox } from "../../kernel/database/secret-box"
import { ENDPOINT_SECRETS, IPN_SECRETS, previousSecrets, rotate, type SecretRow } from "../rotated-secrets"
import { newWebhookSecret } from "../signature"

const keyOf = (id: string): EncryptionKey => ({ id, key: createSecretKey(randomBytes(32)) })
const box = new SecretBox([keyOf("k1")])
const START = new Date("2027-03-01T00:00:00Z")
const after = (hours: number) => addSeconds(START, hours * 3_600)

describe.each([
  ["an endpoint's", ENDPOINT_SECRETS],
  ["the IPN", IPN_SECRETS],
])("decisions: Webhooks — rotations of %s secret", (_whose, place) => {
  function fresh(): { row: SecretRow; secret: string } {
    const secret = newWebhookSecret()
    return { secret, row: { id: "row_1", secret: box.seal(secret, place.current, "row_1"), previous_secrets: null } }
  }

  it("every replaced secret is kept to its own end, newest first; what has ended goes with the next rotation", () => {
    const { row, secret: first } = fresh()
    const one = rotate(box, place, row, START)
    const two = rotate(box, place, { id: row.id, ...one.stored }, after(12))
    expect(previousSecrets(box, place, { id: row.id, ...two.stored })).toEqual([
      { secret: one.secret, until: after(36) },
      { secret: first, until: after(24) },
    ])
    expect([two.until, box.open(two.stored.secret ?? "", place.current, row.id)]).toEqual([after(36), two.secret])
    const three = rotate(box, place, { id: row.id, ...two.stored }, after(24))
    expect(previousSecrets(box, place, { id: row.id, ...three.stored }).map(({ secret }) => secret)).toEqual([
      two.secret,
      one.secret,
    ])
  })

  it("no more than the limit sign along: none is dropped before its time, and the refusal names the hours", () => {
    let { row } = fresh()
    for (let rotation = 0; rotation < LIMITS.rotatedSecretsMax; rotation++) {
      row = { id: row.id, ...rotate(box, place, row, after(rotation)).stored }
    }
    const refused = () => rotate(box, place, row, addSeconds(after(8), 60))
    expect(refused).toThrow("8 earlier secrets still sign along")
    expect(refused).toThrow("in 16 h,")
    expect(rotate(box, place, row, after(24)).secret).toMatch(/^whsec_/)
  })

  it("what cannot be read, or is not there yet, is not kept and blocks nothing", () => {
    const { row } = fresh()
    const rotated: SecretRow = { id: row.id, ...rotate(box, place, row, START).stored }
    const other = new SecretBox([keyOf("k2")])
    const lost = rotate(other, place, rotated, START)
    expect([lost.stored.previous_secrets, lost.until]).toEqual([null, null])
    const none = rotate(box, place, { id: row.id, secret: null, previous_secrets: null }, START)
    expect([none.stored.previous_secrets, none.until]).toEqual([null, null])
  })
})
