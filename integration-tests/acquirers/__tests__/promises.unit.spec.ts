import { ACQUIRER_TESTS, runAcquirerTests, type TestResult } from "../../../src/acquirer-tests"
import { TESTED, type Tested } from "../tested"

type Id = keyof typeof TESTED

const CODES = ACQUIRER_TESTS.map(({ code }) => code)
const CHARGES = ["charge", "charge_twice", "lost_charge", "late_charge", "forget"]
const AUTHORIZATIONS = ["authorized", "capture", "capture_twice", "lost_capture", "release"]
const NO_CONFIRM = ["left", "lost_confirm"]
const UNSAVED = ["save_first", "refund_save_first"]
const BY_CALL = CODES.filter((code) => code.includes("refund") && code !== "refund_by_hand")

/** The promises about what an adapter does not have, or its acquirer does not say. */
const SKIPPED: Readonly<Record<Id, readonly string[]>> = {
  bkash: ["refunds_at_once", "refund_by_hand", ...AUTHORIZATIONS],
  nagad: [
    ...["currency_of_answer", "forged_notification", "refunds_at_once", "refund_by_hand"],
    ...[...NO_CONFIRM, ...CHARGES, ...AUTHORIZATIONS],
  ],
  sslcommerz: ["refund_amount_of_answer", "refund_by_hand", ...NO_CONFIRM, ...UNSAVED, ...CHARGES, ...AUTHORIZATIONS],
  shurjopay: ["save_first", ...NO_CONFIRM, ...BY_CALL, ...CHARGES, ...AUTHORIZATIONS],
  stripe: ["lost_confirm", "refund_by_hand", ...UNSAVED],
}

describe.each(Object.keys(TESTED) as Id[])("%s keeps the promises of docs/acquirers.md, Test your adapter", (id) => {
  let standIn: Tested
  let results: TestResult[]

  beforeAll(async () => {
    standIn = await TESTED[id]()
    results = await runAcquirerTests(standIn)
  }, 240_000)
  afterAll(() => standIn.close())

  test.each(ACQUIRER_TESTS)("$code: $promise", ({ code }) => {
    const { outcome, details } = results.find((result) => result.code === code)!
    const isSkipped = SKIPPED[id].includes(code)
    expect({ outcome, details }).toEqual(
      isSkipped ? { outcome: "skipped", details: expect.any(String) } : { outcome: "kept", details: "" }
    )
  })
})
