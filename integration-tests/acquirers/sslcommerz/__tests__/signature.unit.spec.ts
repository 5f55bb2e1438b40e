import { join } from "node:path"
import { signatureOf, verified } from "../../../../src/modules/gateway/acquirers/sslcommerz/incoming"
import { importModule } from "../../../support/import-module.cjs"

const PASSWORD = "demo_pass"
const SAMPLE = {
  amount: "150.00",
  bank_tran_id: "B1",
  currency: "BDT",
  status: "VALID",
  store_id: "demo_store",
  tran_id: "T1001",
  val_id: "V1",
  value_a: "",
}
const MD5 = "00932e5be2a7db3ad438561cc71f8a2f"
const SHA256 = "3e6b9e4fcd3617ea48031e3e6fbbf352fc40b2f588831ef502dc60f831542fa4"
const NOTIFICATION = {
  ...SAMPLE,
  verify_key: Object.keys(SAMPLE).reverse().join(","),
  verify_sign: MD5,
  verify_sign_sha2: SHA256,
}

const check = (changes: Record<string, string>) =>
  verified(new Map(Object.entries({ ...NOTIFICATION, ...changes })), PASSWORD)

describe("verify_sign and verify_sign_sha2", () => {
  it("has the known digests of a sample, whatever the order of its fields", () => {
    const backwards = new Map(Object.entries(SAMPLE).reverse())

    expect(signatureOf(backwards, PASSWORD, "md5")).toBe(MD5)
    expect(signatureOf(backwards, PASSWORD, "sha256")).toBe(SHA256)
  })

  it("accepts a notification and returns the fields that verify_key names", () => {
    expect(check({})).toEqual(new Map(Object.entries(SAMPLE).reverse()))
  })

  it("accepts one without SHA-256, as some come: it only makes the gateway ask", () => {
    expect(check({ verify_sign_sha2: "" })).toEqual(new Map(Object.entries(SAMPLE).reverse()))
    expect(check({ verify_sign_sha2: "", amount: "1.00" })).toBe("verify_sign does not match")
  })

  it("does not return a field that verify_key does not name", () => {
    expect(check({ risk_level: "1", cus_name: "Eve" })).toEqual(new Map(Object.entries(SAMPLE).reverse()))
  })

  it.each([
    ["a changed amount", { amount: "1.00" }, "verify_sign does not match"],
    ["a changed status", { status: "FAILED" }, "verify_sign does not match"],
    ["an emptied field", { val_id: "" }, "verify_sign does not match"],
    ["another MD5", { verify_sign: MD5.replace("0", "1") }, "verify_sign does not match"],
    ["an MD5 in capitals", { verify_sign: MD5.toUpperCase() }, "verify_sign does not match"],
    ["a shorter MD5", { verify_sign: MD5.slice(1) }, "verify_sign does not match"],
    ["no MD5", { verify_sign: "" }, "verify_sign does not match"],
    ["another SHA-256", { verify_sign_sha2: SHA256.replace("3", "4") }, "verify_sign_sha2 does not match"],
    ["letters of another length in bytes", { verify_sign: "é".repeat(32) }, "verify_sign does not match"],
    ["no verify_key", { verify_key: "" }, "verify_key does not cover tran_id, status, amount, store_id"],
    ["a verify_key without the status", { verify_key: "amount,tran_id,store_id" }, "verify_key does not cover status"],
    [
      "a verify_key with a field that is missing",
      { verify_key: "amount,status,store_id,tran_id,none" },
      "verify_sign does not match",
    ],
    [
      "a password of the sender's choice",
      { verify_key: `${NOTIFICATION.verify_key},store_passwd`, store_passwd: "x", verify_sign: "0".repeat(32) },
      "verify_sign does not match",
    ],
  ])("refuses %s", (_name, changes, why) => {
    expect(check(changes as Record<string, string>)).toBe(why)
  })

  it("agrees with the stand-in's own signature, for text beyond ASCII too", async () => {
    const { signed } = await importModule<{ signed(fields: object, password: string): Record<string, string> }>(
      join(__dirname, "../signature.mjs")
    )
    const fields = signed({ ...SAMPLE, value_b: "চা & বিস্কুট = ১০০", Z: "1", card_type: "" }, PASSWORD)

    expect(verified(new Map(Object.entries(fields)), PASSWORD)).toBeInstanceOf(Map)
    expect(signed(SAMPLE, PASSWORD)).toMatchObject({ verify_sign: MD5, verify_sign_sha2: SHA256 })
  })
})
