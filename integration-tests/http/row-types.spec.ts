import { execFile } from "node:child_process"
import { join } from "node:path"

jest.setTimeout(180_000)

const ROOT = join(__dirname, "../..")
const WRONG = "integration-tests/support/wrong-rows"

/** `npm run check-rows` against the run's own PostgreSQL; answers its lines. */
function checkRows(...args: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(ROOT, "scripts/check-row-types.mjs"), ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: "" },
    })
    let output = ""
    child.stdout?.on("data", (chunk) => (output += chunk))
    child.stderr?.on("data", (chunk) => (output += chunk))
    child.once("close", (code) => resolve({ code: code ?? 1, lines: output.trimEnd().split("\n") }))
  })
}

describe("decisions: checked row types", () => {
  it("every statement is one that PostgreSQL understands, and its row type is what PostgreSQL answers", async () => {
    const { code, lines } = await checkRows()
    expect(lines).toHaveLength(1)
    const [, compared, typed] = /^(\d+) of (\d+) row types compared/.exec(lines[0]) ?? []
    expect([code, compared]).toEqual([0, typed])
    expect(Number(typed)).toBeGreaterThan(150)
  })

  it("a wrong row type is found, by file and line, and a right one is none", async () => {
    const { code, lines } = await checkRows("--folder", WRONG)
    const found = lines.slice(0, -1).map((line) => line.replace(/^.*?statements\.ts:\d+: /, ""))
    expect(code).toBe(1)
    expect(lines[0]).toMatch(/^integration-tests\/support\/wrong-rows\/statements\.ts:\d+: /)
    expect(found).toEqual([
      '"id": text is string, not number',
      '"total": int8 is string, not bigint',
      '"created_at": timestamptz is Date, not string',
      'the statement answers no column "note"',
      '"completed_at": gateway_refund.completed_at may be null',
      '"uuid": gateway_webhook_endpoint is joined by LEFT JOIN, so uuid may be null',
      '"history": its member "at" is Date, which JSON does not have',
      expect.stringMatching(/^"state": the column may also be .*'processing'/),
      '"event_types": text is string, not number',
      'relation "gateway_refunds" does not exist, in: SELECT id FROM gateway_refunds',
      'column "amount" of relation "gateway_refund" does not exist, in: UPDATE gateway_refund SET amount = $1',
      'the statement answers no column "id"',
      '"number": text is string, not number',
      expect.stringMatching(/^the text is not known before the program runs/),
      expect.stringMatching(/^called from integration-tests\/support\/wrong-rows\/statements\.ts:\d+$/),
    ])
  })
})
