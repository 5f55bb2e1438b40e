import { addSeconds, clockNow } from "../money/clock"
import { csvText } from "../text/csv"
import {
  environmentOfKey,
  hashApiKey,
  newApiKey,
  newSessionId,
  newTransactionId,
  SESSION_ID,
  TRANSACTION_ID,
} from "../text/ids"
import { isAllZeros, isBangladeshiMobile, maskedAccount, normalisePhone } from "../text/phone"
import { COMPLETION_SECONDS, nextInquiryAt } from "../money/retry-schedule"
import { asciiDigits, typedNumber } from "../../../../i18n/typed"
import { textOf } from "../text/text"

describe("decisions: Digits — of every script become ASCII digits, and nothing else changes", () => {
  it.each([
    ["0123456789", "0123456789"],
    ["০১২৩৪৫৬৭৮৯ x", "0123456789 x"],
    ["٠١٢٣٤٥٦٧٨٩", "0123456789"],
    ["۰۱۲۳۴۵۶۷۸۹", "0123456789"],
    ["०१२३४५६७८९", "0123456789"],
    ["０１２３４５６７８９", "0123456789"],
    ["𝟎𝟗𝟘𝟡𝟢𝟫", "090909"],
    ["½ ² Ⅷ ৴ 一", "½ ² Ⅷ ৴ 一"],
  ])("%s is %s", (text, expected) => {
    expect(asciiDigits(text)).toBe(expected)
  })
})

describe("decisions: Digits — a whole number that somebody types", () => {
  it.each([
    ["৩০", 30],
    [" 5 ", 5],
    ["-1", -1],
    ["", undefined],
    [" ", undefined],
    ["two", "two"],
    ["1.5", "1.5"],
    ["12345678901", "12345678901"],
  ])("%j is %j", (text, expected) => {
    expect(typedNumber(text)).toBe(expected)
  })
})

describe("decisions: Requests — phone numbers", () => {
  it.each([
    ["01712345678", "+8801712345678"],
    ["8801712345678", "+8801712345678"],
    ["+8801712345678", "+8801712345678"],
    ["+880 1712-345678", "+8801712345678"],
    ["017 1234 5678", "+8801712345678"],
    ["017-12-34-56-78", "+8801712345678"],
    [" 01712345678 ", "+8801712345678"],
    ["01312345678", "+8801312345678"],
    ["+14155552671", "+14155552671"],
    ["+44 20 7946 0958", "+442079460958"],
    ["+919876543210", "+919876543210"],
    ["+880.1712345678", "+8801712345678"],
    ["880.1712.345.678", "+8801712345678"],
    ["+88 (0)1712345678", "+8801712345678"],
    ["+8 8-(0)1712 345678", "+8801712345678"],
    ["+880 (0)1712345678", "+8801712345678"],
    ["+880(0)1712-345678", "+8801712345678"],
    ["880 (0) 1712 345678", "+8801712345678"],
    ["(880) (0)1712345678", "+8801712345678"],
    ["(+880) 1712345678", "+8801712345678"],
    ["(017)12345678", "+8801712345678"],
    ["(0)1712345678", "+8801712345678"],
    ["(017) 123-456.78", "+8801712345678"],
    ["+44 (0)20 7946 0958", "+442079460958"],
    ["+1 (415) 555-2671", "+14155552671"],
    ["+1.4155552671", "+14155552671"],
    // decisions: Digits — of every script.
    ["০১৭১২৩৪৫৬৭৮", "+8801712345678"],
    ["+৮৮০ ১৭১২-৩৪৫৬৭৮", "+8801712345678"],
    ["٠١٧١٢٣٤٥٦٧٨", "+8801712345678"],
    ["０１７１２３４５６７８", "+8801712345678"],
    ["০17১2345৬7৮", "+8801712345678"],
  ])("%p is %p", (input, expected) => {
    expect(normalisePhone(input)).toBe(expected)
  })

  it.each([
    "",
    "abc",
    "0171234567",
    "017123456789",
    "0171234567a",
    "+880171234567",
    "++8801712345678",
    "০১৭১২৩৪৫৬৭",
    "+1234",
    "+99912345678",
    "01712345678 ext 5",
    "(017)123456789",
    "+880.0000000000",
    "+880 (0)171234567",
    "...1712345678",
    "()01712345678",
    "tel:01712345678",
    "14155552671",
    "00000000000",
    "-01712345678",
    "1".repeat(40),
  ])("%p is refused", (input) => {
    expect(normalisePhone(input)).toBeNull()
  })

  it.each([
    ["+8800000000000", true],
    ["+880.0000000000", true],
    ["8800000000000", true],
    ["00000000000", true],
    ["+1.0000000000", true],
    ["01700000000", false],
    ["+8801700000000", false],
    ["+8800000000001", false],
    ["017000000000", false],
    ["00000", false],
    ["", false],
    ["০০০০০০০০০০০", false],
  ])("decisions: Found by real clients: %p has a subscriber number of zeros: %p", (input, expected) => {
    expect(isAllZeros(input)).toBe(expected)
  })

  it.each([
    ["01712345678", "017****5678"],
    ["8801712345678", "017****5678"],
    ["+8801712345678", "017****5678"],
    ["0123456789", "012****"],
  ])("the account %s is kept as %s, by which its owner knows it", (account, masked) => {
    expect(maskedAccount(account)).toBe(masked)
  })

  it("takes for a valid mobile number exactly what the library of numbers does", () => {
    const written = (national: string) => [`0${national}`, `880${national}`, `+880${national}`]
    const starts = Array.from({ length: 1_000 }, (_, start) => `1${String(start).padStart(3, "0")}`)
    for (const text of starts.flatMap((start) => written(`${start}345678`))) {
      // A space keeps the number from being recognised by its form alone.
      expect([text, normalisePhone(text)]).toEqual([text, normalisePhone(`${text.slice(0, -1)} ${text.slice(-1)}`)])
    }
  })

  it("knows a Bangladeshi mobile number", () => {
    expect(["+8801712345678", "+8801912345678"].every(isBangladeshiMobile)).toBe(true)
    expect(["+88029123456", "+14155552671", "01712345678", "+88017123456789"].some(isBangladeshiMobile)).toBe(false)
  })
})

describe("decisions: Environments, Checkout — ids and keys", () => {
  it("makes transaction ids of txn and 32 lowercase hex digits, and unguessable session ids", () => {
    const transactions = Array.from({ length: 200 }, newTransactionId)
    const sessions = Array.from({ length: 200 }, newSessionId)
    expect(transactions.every((id) => /^txn[0-9a-f]{32}$/.test(id) && TRANSACTION_ID.test(id))).toBe(true)
    expect(sessions.every((id) => /^ses_/.test(id) && SESSION_ID.test(id))).toBe(true)
    expect(new Set([...transactions, ...sessions]).size).toBe(400)
  })

  it.each([
    ["sandbox", "secret", "sk_test_"],
    ["production", "secret", "sk_live_"],
    ["production", "restricted", "rk_live_"],
    ["sandbox", "restricted", "rk_test_"],
  ] as const)("contract 5.3: a %s %s key begins with %s", (environment, type, prefix) => {
    const key = newApiKey(environment, type)
    expect(key.startsWith(prefix)).toBe(true)
    expect(environmentOfKey(key)).toBe(environment)
    expect(Buffer.from(key.slice(prefix.length), "base64url")).toHaveLength(32)
  })

  it.each([
    "",
    "sk_test_",
    "sk_test_short",
    `sk_prod_${"a".repeat(43)}`,
    `SK_TEST_${"a".repeat(43)}`,
    `sk_test_${"a".repeat(44)}`,
    `sk_test_${"a".repeat(42)}!`,
    `pk_test_${"a".repeat(43)}`,
    `sk_live_${"a".repeat(43)}\n`,
  ])("%p is malformed", (key) => {
    expect(environmentOfKey(key)).toBeNull()
  })

  it("keeps a SHA-256 of a key", () => {
    expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})

describe("time is an argument", () => {
  const noon = new Date("2026-01-31T12:00:00Z")

  it("a clock with no offset is the real one", () => {
    expect(clockNow(noon, 0)).toBe(noon)
    expect(clockNow(noon, 86_400).toISOString()).toBe("2026-02-01T12:00:00.000Z")
    expect(addSeconds(noon, 1_800).toISOString()).toBe("2026-01-31T12:30:00.000Z")
    expect(noon.toISOString()).toBe("2026-01-31T12:00:00.000Z")
  })

  it.each([
    [0, 300],
    [1, 3_600],
    [2, 86_400],
    [3, 86_400],
    [50, 86_400],
  ])("design: unknown is not failed — asked %p times, the acquirer is asked again after %p s", (asked, seconds) => {
    expect(nextInquiryAt(noon, asked).getTime() - noon.getTime()).toBe(seconds * 1000)
  })

  it("tries a paid cart without an order a few times at growing distances, then gives up", () => {
    const delays = [0, 1, 2, 3, 4].map((failures) => COMPLETION_SECONDS.after(failures))
    expect(delays.at(-1)).toBeNull()
    expect(delays.slice(0, -1)).toEqual([30, 120, 600, 3_600])
  })
})

describe("values from outside as text", () => {
  it.each<[unknown, string]>([
    ["abc", "abc"],
    [12.5, "12.5"],
    [true, "true"],
    [7n, "7"],
    [null, ""],
    [undefined, ""],
    [["abc"], ""],
    [{ toString: "x" }, ""],
    [Object.create(null), ""],
  ])("%p", (value, text) => {
    expect(textOf(value)).toBe(text)
  })
})

describe("a cell of a CSV file never runs as a formula", () => {
  it.each(["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"])(
    "%j",
    (text) => {
      expect(csvText([[text]]).replaceAll('"', "")).toBe(`'${text}\r\n`)
    }
  )

  it("an amount below zero stays a number", () => {
    expect(csvText([["-12.50"]])).toBe("-12.50\r\n")
  })
})
