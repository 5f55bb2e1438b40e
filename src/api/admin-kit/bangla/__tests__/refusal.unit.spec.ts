import { ERROR_TABLE, GatewayError, validationError, type ErrorCode } from "../../../../modules/gateway/kernel/errors"
import { CODES } from "../codes"
import { inBangla } from "../refusal"
import { RULES, SENTENCES } from "../sentences"

const BANGLA = /[\u0980-\u09ff]/
const LATIN_WORD = /\b(must|is|are|the|not|at most|cannot)\b/
const spokenOf = (error: GatewayError) => inBangla({ code: error.code, message: error.message, details: error.details })
const invalid = (field: string, message: string) =>
  spokenOf(validationError([{ field, code: "VALIDATION_ERROR", message }]))

describe("refusals in Bangla", () => {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[]

  it.each(codes)("%s has a sentence of its own, which is not the English one", (code) => {
    const { message } = spokenOf(new GatewayError(code))
    expect(message).toBe(CODES[code])
    expect(message).toMatch(BANGLA)
    expect(message).not.toContain(ERROR_TABLE[code][1])
  })

  it("no two codes are told alike, and no sentence is of a code that is gone", () => {
    expect(new Set(Object.values(CODES)).size).toBe(codes.length)
    expect(Object.keys(CODES).sort()).toEqual([...codes].sort())
  })

  it.each([
    ["name", "name is required", "name আবশ্যক"],
    ["plan_name", "plan_name must be at most 100 characters long", "plan_name সর্বোচ্চ 100 অক্ষরের হতে হবে"],
    ["amount", "amount must be at least 10.00", "amount কমপক্ষে 10.00 হতে হবে"],
    ["limit", "limit must be a whole number from 1 to 100", "limit 1 থেকে 100 পর্যন্ত পূর্ণ সংখ্যা হতে হবে"],
    ["from", "from must be a date like 2026-01-31", "from 2026-01-31 এর মতো তারিখ হতে হবে"],
    [
      "from",
      "from must be at most 366 days before to; ask for a longer time in parts",
      "from শেষের আগে সর্বোচ্চ 366 দিন হতে পারে; এর বেশি হলে ভাগ করে দেখুন",
    ],
    ["order", "order must be one of amount, -amount", "order এগুলোর একটি হতে হবে: amount, -amount"],
    ["signature_format", "signature_format must be hex or prefixed", "signature_format hex বা prefixed হতে হবে"],
    ["plan_id", "plan_id must be a plan's id or uuid", "plan_id একটি প্ল্যানের আইডি বা uuid হতে হবে"],
    ["interval[0]", "interval[0] must be of DAY, WEEK", "interval[0] এগুলোর মধ্যে হতে হবে: DAY, WEEK"],
    [
      "ip_allow_list",
      "203.0.113.0/99 is neither an IP address nor a network in CIDR form",
      "203.0.113.0/99 আইপি ঠিকানাও নয়, CIDR নেটওয়ার্কও নয়",
    ],
    [
      "lines[3].refund_amount",
      "line 3: refund_amount must be more than 0.00",
      "লাইন 3: refund_amount 0.00 এর বেশি হতে হবে",
    ],
    ["lines[1]", "line 1: the column refund_reason is missing", "লাইন 1: refund_reason কলামটি নেই"],
    [
      "lines[2]",
      "line 2: No transaction was found with this transaction_id",
      "লাইন 2: এই আইডির কোনো লেনদেন পাওয়া যায়নি",
    ],
    ["lines[2]", "line 2: At most 12.50 is left to refund", "লাইন 2: সর্বোচ্চ 12.50 ফেরত দেওয়া বাকি আছে"],
    ["now", "now: the sandbox clock only moves forward", "now: স্যান্ডবক্স ঘড়ি শুধু সামনে এগোয়"],
  ])("%s: %s", (field, english, bangla) => {
    expect(invalid(field, english)).toEqual({
      code: "VALIDATION_ERROR",
      message: bangla,
      details: [{ field, message: bangla }],
    })
  })

  it("several faults are told one by one, under the sentence of the code", () => {
    const failures = ["name", "email"].map((field) => ({
      field,
      code: "MISSING_REQUIRED_FIELD" as const,
      message: `${field} is required`,
    }))
    expect(spokenOf(validationError(failures))).toEqual({
      code: "VALIDATION_ERROR",
      message: CODES.VALIDATION_ERROR,
      details: [
        { field: "name", message: "name আবশ্যক" },
        { field: "email", message: "email আবশ্যক" },
      ],
    })
  })

  it("of a file with many faults the first is told, and how many more there are", () => {
    expect(invalid("lines[1]", "line 1: the file is empty (and 4 more)").message).toBe("লাইন 1: ফাইলটি খালি (আরও 4টি)")
  })

  it("what has no sentence is told by its code's, with the English one behind it", () => {
    const english = "Something nobody has translated; do this instead"
    expect(spokenOf(new GatewayError("INVALID_STATE_TRANSITION", english)).message).toBe(
      `${CODES.INVALID_STATE_TRANSITION} (${english})`
    )
    expect(invalid("name", "name must rhyme").details).toEqual([
      { field: "name", message: `${CODES.VALIDATION_ERROR} (name must rhyme)` },
    ])
  })

  it.each([...RULES, ...SENTENCES])("%s: keeps what varies and leaves no English behind", (english, bangla) => {
    const places = (text: string) => (text.match(/\{[0-9]\}/g) ?? []).sort()
    expect(places(bangla)).toEqual(places(english))
    expect(bangla).toMatch(BANGLA)
    expect(bangla).not.toMatch(LATIN_WORD)
  })

  it.each([...RULES, ...SENTENCES])("%s is not hidden by a wider one before it", (english, bangla) => {
    const fill = (text: string) => text.replace(/\{([0-9])\}/g, (_, place: string) => `${place}${place}`)
    const isRule = RULES.some(([one]) => one === english)
    expect(invalid("a_field", isRule ? `a_field ${fill(english)}` : fill(english)).message).toBe(
      isRule ? `a_field ${fill(bangla)}` : fill(bangla)
    )
  })
})
