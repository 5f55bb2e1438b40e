import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fault, GatewayError, validationError, type ErrorCode } from "../../modules/gateway/kernel/errors"
import { refuseFaults } from "../../modules/gateway/kernel/text/csv"
import { lineFault } from "../../modules/gateway/kernel/text/csv-records"
import { errorBody } from "../../api/v2-kit/errors"
import { messages as bn } from "../bn/messages"
import { messages as en } from "../en/messages"
import { messageOf, said, type Kind, type Message } from "../message"
import { textsOf, translate, VALUE_END, withEndings } from "../translate"

type Texts = { [key: string]: string | Texts }

/** `rule.max_length` and its text, for every text. */
function flat(texts: Texts, prefix = ""): [kind: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === "string" ? [[prefix + name, text]] : flat(text, `${prefix}${name}.`)
  )
}

const BANGLA = /[\u0980-\u09ff]/
const english = flat(en)
const bangla = new Map(flat(bn))

const SOURCES = join(__dirname, "../..")
const source = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && (file === "i18n/label.ts" || !/(^|\/)(i18n|__tests__)\//.test(file)))
  .map((file) => readFileSync(join(SOURCES, file), "utf8"))
  .join("\n")

describe("numbers in sentences", () => {
  const tooLong = messageOf("field", { name: "নাম", rule: messageOf("rule.max_length", { max: 16 }) })

  it("docs/decisions/16 — have the digits of their language, and choose its plural", () => {
    expect(translate(tooLong)).toContain("16 characters")
    expect(translate(tooLong, "bn")).toContain("১৬ অক্ষরের")
    expect(textsOf("receipts", "bn")("moreItems", { count: 12, number: "১২" })).toBe("আরও ১২টি পণ্য")
  })

  it("stay as they are where they are texts: what identifies is copied", () => {
    expect(translate(messageOf("rule.max_length", { max: "16" }), "bn")).toContain("16")
  })
})

describe("the catalogue of messages", () => {
  it("is in Bangla where it says so, with no English sentence left behind", () => {
    const words = english
      .filter(([kind]) => kind !== "said" && kind !== "field")
      .map(([kind]) => bangla.get(kind) ?? "")
    expect(words.filter((text) => !BANGLA.test(text))).toEqual([])
    expect(words.filter((text) => /\b(must|is|are|the|not|at most|cannot)\b/.test(text))).toEqual([])
  })

  it("says every error code, and no two of them alike", () => {
    const codes = Object.keys(en.error) as ErrorCode[]
    expect(codes.every((code) => new GatewayError(code).message === en.error[code])).toBe(true)
    expect(new Set(Object.values(en.error)).size).toBe(codes.length)
    expect(new Set(Object.values(bn.error)).size).toBe(codes.length)
  })

  it("holds nothing that no program says", () => {
    const isSaid = (kind: string) => {
      const [group, key] = kind.split(".")
      return (
        kind === "said" ||
        group === "error" ||
        // Chosen by the name of a field: src/i18n/label.ts.
        group === "label" ||
        // Chosen by a subscription's reason: cancellation-rules.ts.
        group === "cancellation" ||
        (group === "refund_reason" && source.includes(`"${key}"`)) ||
        source.includes(`"${kind}"`) ||
        (group === "rule" && source.includes(`rule("${key}"`))
      )
    }
    // Programs name a plural without its form: catalogues.unit.spec.ts finds forms that are alone.
    const named = english.map(([kind]) => kind.replace(/_(one|other)$/, ""))
    expect(named.filter((kind) => !isSaid(kind))).toEqual([])
  })
})

describe("a message in words", () => {
  it.each<[Message, string, string]>([
    [
      fault("plan_name", messageOf("rule.max_length", { max: 100 })).reason,
      "plan_name must be at most 100 characters long",
      "plan_name সর্বোচ্চ ১০০ অক্ষরের হতে হবে",
    ],
    [
      messageOf("refusal.acquirer_test_limit", { tests: 10, count: 1 }),
      "An account is tested at most 10 times in an hour: try again in 1 minute",
      "একটি অ্যাকাউন্ট ঘণ্টায় সর্বোচ্চ ১০ বার পরীক্ষা করা যায়: ১ মিনিট পরে আবার চেষ্টা করুন",
    ],
    [
      fault("signature_format", messageOf("rule.either", { values: "hex", last: "prefixed" })).reason,
      "signature_format must be hex or prefixed",
      "signature_format hex বা prefixed হতে হবে",
    ],
    [
      lineFault(3, "refund_amount", fault("refund_amount", messageOf("rule.more_than", { min: "0.00" })).reason).reason,
      "line 3: refund_amount must be more than 0.00",
      "লাইন ৩: refund_amount 0.00 এর বেশি হতে হবে",
    ],
    [
      lineFault(2, null, new GatewayError("TRANSACTION_NOT_FOUND").reason).reason,
      "line 2: No transaction was found with this transaction_id",
      "লাইন ২: এই আইডির কোনো লেনদেন পাওয়া যায়নি",
    ],
    [
      messageOf("cart.giving_back", { why: messageOf("cart.gone") }),
      "The money goes back: the cart is gone",
      "টাকা ফেরত যাচ্ছে: কার্টটি আর নেই",
    ],
    [said("Declined by issuer"), "Declined by issuer", "Declined by issuer"],
  ])("%j", (message, inEnglish, inBangla) => {
    expect([translate(message), translate(message, "en"), translate(message, "bn")]).toEqual([
      inEnglish,
      inEnglish,
      inBangla,
    ])
    // As a row keeps it.
    expect(translate(JSON.parse(JSON.stringify(message)) as Message, "bn")).toBe(inBangla)
  })

  it("of a parameter from outside nothing is taken for a placeholder, a text of ours, markup or an option", () => {
    const hostile = "{{max}} $t(error.NOT_FOUND) $& $1 <b>&amp;</b> {{- text}}"
    expect(translate(said(hostile))).toBe(hostile)
    expect(translate(messageOf("cart.needs_attention", { why: said(hostile) }))).toBe(`Needs attention: ${hostile}`)
    const options = { text: "own", lng: "bn", defaultValue: "x", count: 2, ns: "y", context: "z", replace: "r" }
    expect(translate({ kind: "said", params: options })).toBe("own")
  })

  it("of a kind that a later version has written, its name is shown", () => {
    expect(translate({ kind: "cart.teleported" as Kind })).toBe("cart.teleported")
  })
})

describe("a refusal in words", () => {
  const bodyOf = (error: GatewayError) => errorBody(error, "main", "req_1").error

  it("of one field says its rule, of several that there are some, each in the details", () => {
    const name = fault("name", messageOf("rule.required"))
    const amount = fault("amount", messageOf("rule.min", { min: "10.00" }), "AMOUNT_TOO_LOW")
    expect(bodyOf(validationError([name]))).toMatchObject({
      code: "MISSING_REQUIRED_FIELD",
      message: "name is required",
      details: [{ field: "name", message: "name is required" }],
    })
    expect(bodyOf(validationError([name, amount]))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "name is required (and 1 more)",
      field: "name",
      details: [
        { field: "name", message: "name is required" },
        { field: "amount", message: "amount must be at least 10.00" },
      ],
    })
  })

  it("of a file with many faults says the first, and how many more there are", () => {
    const faults = ["a", "b", "c"].map((name) => lineFault(1, null, messageOf("file.column_twice", { name })))
    const thrown = () => refuseFaults(faults)
    expect(thrown).toThrow("line 1: the column a is there twice (and 2 more)")
    expect(() => refuseFaults(faults.slice(0, 1))).toThrow(/^line 1: the column a is there twice$/)
    expect(() => refuseFaults([])).not.toThrow()
  })
})

describe("what does not compile", () => {
  it("an unknown kind, a missing parameter, an unknown one, and one where there is none", () => {
    const wrong = () => [
      // @ts-expect-error no such kind
      messageOf("rule.max_lenght", { max: 1 }),
      // @ts-expect-error its parameter is missing
      messageOf("rule.max_length"),
      // @ts-expect-error its parameter is another one
      messageOf("rule.max_length", { maximum: 1 }),
      // @ts-expect-error it has no parameter
      messageOf("rule.required", { max: 1 }),
    ]
    expect(wrong()).toHaveLength(4)
  })
})

describe("Bangla case endings after a name (docs/decisions/16)", () => {
  it.each([
    ["শাপলা-এ ফিরে যান", "শাপলায় ফিরে যান"],
    ["শাপলা-এর রসিদ", "শাপলার রসিদ"],
    ["শাপলা-কে টাকা", "শাপলাকে টাকা"],
    ["সোনালি-এর প্ল্যান", "সোনালির প্ল্যান"],
    ["সোনালি-এ", "সোনালিতে"],
    ["ব্র্যাক ব্যাংক-এর কার্ডে", "ব্র্যাক ব্যাংকের কার্ডে"],
    ["দোকান-এ", "দোকানে"],
    // A sign of its own, Latin letters and digits keep the hyphen.
    ["আড়ং-এর", "আড়ং-এর"],
    ["Shapla-এর", "Shapla-এর"],
    ["৭ ডিসেম্বর ২০২৬, ০২:২৫-এ", "৭ ডিসেম্বর ২০২৬, ০২:২৫-এ"],
    ["চা-একটি", "চা-একটি"],
  ])("%s is written %s", (text, joined) => {
    expect(withEndings(text.replace("-", `${VALUE_END}-`))).toBe(joined)
  })

  it("are joined in every text with a parameter", () => {
    const subject = textsOf("receipts", "bn")("mail.subject.payment", {
      merchant: "শাপলা",
      number: "7",
      amount: "৳৫.০০",
    })
    expect(subject).toBe("শাপলার রসিদ: অর্ডার 7, ৳৫.০০")
  })

  it("leave what a merchant has called itself", () => {
    const values = { merchant: "মা-এর রান্নাঘর", number: "7", amount: "৳৫.০০" }
    expect(textsOf("receipts", "bn")("mail.subject.payment", values)).toBe("মা-এর রান্নাঘরের রসিদ: অর্ডার 7, ৳৫.০০")
  })
})
