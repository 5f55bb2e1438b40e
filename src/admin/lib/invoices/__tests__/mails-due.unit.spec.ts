import { mailsDue } from "../invoices"

describe("when something of a page's e-mails will change", () => {
  const now = Date.parse("2026-11-21T10:00:00Z")
  const pending = (due_at: string) => ({ status: "pending" as const, due_at })

  it("never, when none is pending", () => {
    expect(mailsDue([], now)).toBeNull()
    expect(mailsDue([{ status: "sent", due_at: "2026-11-21T09:59:00Z" }], now)).toBeNull()
  })

  it("soon while one is due, later while all of them are due in days", () => {
    expect(mailsDue([pending("2026-11-25T00:00:00Z"), pending("2026-11-21T09:59:00Z")], now)).toBe("soon")
    expect(mailsDue([pending("2026-11-21T10:00:20Z")], now)).toBe("soon")
    expect(mailsDue([pending("2026-11-25T00:00:00Z")], now)).toBe("later")
  })
})
