import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import { connected } from "../../../scripts/lib/database.mjs"
import { ask, bearer } from "./client.mjs"
import { Merchant } from "./merchant.mjs"

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const NAMES = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "tEXt", "zTXt", "eXIf", "acTL", "ABCD"]
const COLORS = [0, 2, 3, 4, 6]
/** A document that is not there after so long never will be: drawing one has a shorter limit. */
const PATIENCE_MS = 25_000

/** Bit by bit: as far from the store's own table as can be. */
function crc32(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) {
      value = (value >>> 1) ^ (0xedb88320 & -(value & 1))
    }
  }
  return ~value >>> 0
}

function pngOf(chunks) {
  const written = chunks.map(([name, data]) => {
    const named = Buffer.concat([Buffer.from(name, "latin1"), data])
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    crc.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, crc])
  })
  return Buffer.concat([SIGNATURE, ...written])
}

function header(width, height, color) {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, color], 8)
  return data
}

/** A good picture: its chunks in their order. */
function pictureOf(random) {
  const [width, height, color] = [random.between(1, 40), random.between(1, 40), random.pick(COLORS)]
  const row = Buffer.alloc(1 + width * { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color], 1)
  row[0] = random.int(5)
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const palette = color === 3 ? [["PLTE", Buffer.alloc(6, 200)]] : []
  return [["IHDR", header(width, height, color)], ...palette, ["IDAT", rows], ["IEND", Buffer.alloc(0)]]
}

/** The same with what the library behind PDFs reads otherwise than the check of an upload might. */
function mutated(random) {
  const chunks = pictureOf(random)
  for (let left = random.int(3); left > 0; left -= 1) {
    const data = random.pick([header(60_000, 60_000, 6), header(1, 1, 0), Buffer.alloc(random.int(60_000), 65)])
    chunks.splice(random.int(chunks.length + 1), random.int(2), [random.pick(NAMES), data])
  }
  const bytes = pngOf(chunks)
  if (random.chance(0.2)) {
    bytes[random.int(bytes.length)] ^= 1 + random.int(255)
  }
  return random.chance(0.1) ? Buffer.concat([bytes, pngOf(chunks)]) : bytes
}

/** What an earlier version accepted: the library reads the last header, and its error is nobody's. */
function endless(random) {
  const [first, ...rest] = pictureOf(random)
  return pngOf([first, ["IHDR", header(60_000, 60_000, 6)], ...rest])
}

/**
 * Logos made to hurt, `counts.logos` of them: uploaded, each is refused or drawn; put into the database as an earlier
 * version did, it is left out. The PDF that anybody with the invoice's link may have always comes.
 */
export async function logos({ store, token, databaseUrl, counts, random, report }) {
  const merchant = await (await Merchant.create(store.url, token, `l${random.hex(8)}`)).createRows()
  const uploadPath = `/admin/gateway/merchants/${merchant.id}/logo`
  const upload = (bytes) =>
    ask(store.url, "POST", uploadPath, { headers: bearer(token), json: { content: bytes.toString("base64") } })
  const figures = { accepted: 0, refused: 0, stored: 0 }
  const refusal = await upload(endless(random))
  if (refusal.status !== 422) {
    report({ what: `a PNG with two headers is answered ${refusal.status}`, detail: refusal.text.slice(0, 300) })
  }
  for (let made = 0; made < counts.logos; made += 1) {
    const bytes = made % 2 === 0 ? mutated(random) : pngOf(pictureOf(random))
    const { status, text } = await upload(bytes)
    if (status === 200) {
      figures.accepted += 1
      await expectPdf(store, merchant, report, bytes)
    } else if (status === 422) {
      figures.refused += 1
    } else {
      report({ what: `a logo is answered ${status}`, detail: `${text.slice(0, 300)} ${bytes.toString("base64")}` })
    }
  }
  await connected(databaseUrl, async (client) => {
    for (const bytes of [endless(random), ...Array.from({ length: 4 }, () => mutated(random))]) {
      await put(client, merchant, bytes)
      figures.stored += 1
      await expectPdf(store, merchant, report, bytes)
    }
  })
  return figures
}

async function expectPdf({ url }, { ids }, report, logo) {
  const detail = logo.toString("base64").slice(0, 3_000)
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(`${url}/pay/invoice/${ids.invoice_token}/pdf`, { signal })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200 || !bytes.subarray(0, 4).equals(Buffer.from("%PDF"))) {
      report({ what: `with a hostile logo a PDF is answered ${answer.status}`, detail })
    }
  } catch (error) {
    report({ what: `with a hostile logo a PDF never comes: ${error.name}`, detail })
  }
}

async function put(client, { id }, bytes) {
  const file = `${createHash("sha256").update(bytes).digest("hex")}.png`
  await client.query(
    "INSERT INTO gateway_merchant_logo (id, file, content) VALUES ($1, $2, $3) ON CONFLICT (file) DO NOTHING",
    [`mlg_${file.slice(0, 24)}`, file, bytes.toString("base64")]
  )
  await client.query(
    "UPDATE gateway_merchant SET profile = profile || jsonb_build_object('logo', $2::text) WHERE id = $1",
    [id, file]
  )
}
