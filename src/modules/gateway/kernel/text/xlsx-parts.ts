import type { SaxesParser } from "saxes"
import type { Entry, ZipFile } from "yauzl"
import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../errors"
import { LIMITS } from "../limits"
import { refuseFile } from "./csv"

export type Attributes = Record<string, string>
export type Handlers = {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Of XML: tags within tags, and bytes without one. */
const DEPTH_MAX = 100
const SILENT_BYTES_MAX = 1_048_576
/** A workbook has a part for each sheet, picture and drawing. */
const PARTS_MAX = 2_000

/** The parts of an XLSX file, which is a zip of XML. None is unpacked further than it says, nor are they together than a file may be. */
export class Parts {
  private unpacked = 0

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly newParser: () => SaxesParser
  ) {}

  /** Both packages are loaded with the first file. */
  static async of(file: Buffer): Promise<Parts> {
    const [{ fromBufferPromise }, { SaxesParser }] = await Promise.all([import("yauzl"), import("saxes")])
    const entries = new Map<string, Entry>()
    try {
      const zip = await fromBufferPromise(file, { lazyEntries: true })
      if (zip.entryCount <= PARTS_MAX) {
        for await (const entry of zip.eachEntry()) {
          entries.set(entry.fileName.toLowerCase(), entry)
        }
      }
      return new Parts(zip, entries, () => new SaxesParser({ position: false }))
    } catch {
      return refuseFile(BROKEN)
    }
  }

  /** Reads a part whose contents stay in memory; one that the file does not have holds nothing. */
  async whole(path: string, handlers: Handlers): Promise<void> {
    if (this.entries.has(path.toLowerCase())) {
      const pieces = this.pieces(path, handlers, LIMITS.settlementFileMaxBytes, () => undefined)
      while ((await pieces.next()).done !== true);
    }
  }

  /** Reads a part piece by piece: `taken` is called after each, when the handlers have had what it holds. */
  async *pieces<Taken>(
    path: string,
    { open, text, close }: Handlers,
    max: number,
    taken: () => Taken
  ): AsyncGenerator<Taken> {
    const entry = this.entries.get(path.toLowerCase())
    this.unpacked += entry?.uncompressedSize ?? 0
    if (entry === undefined) {
      refuseFile(BROKEN)
    }
    if (entry.uncompressedSize > max || this.unpacked > LIMITS.settlementUnpackedMaxBytes) {
      refuseFile(messageOf("file.unpacked_max", { max: max / 1_048_576 }))
    }
    const parser = this.newParser()
    // The parser keeps what is open: tags within tags, and a text, comment or attribute that does not end.
    let [depth, silent] = [0, 0]
    parser.on("opentag", ({ name, attributes }) => {
      silent = 0
      depth++
      open(localName(name), attributes as Attributes)
    })
    parser.on("text", (piece) => text?.(piece))
    parser.on("cdata", (piece) => text?.(piece))
    parser.on("closetag", ({ name }) => {
      silent = 0
      depth--
      close?.(localName(name))
    })
    const decoder = new TextDecoder("utf-8", { fatal: true })
    try {
      // It fails where a part turns out larger than it says.
      for await (const bytes of await this.zip.openReadStreamPromise(entry)) {
        parser.write(decoder.decode(bytes as Buffer, { stream: true }))
        silent += (bytes as Buffer).length
        if (depth > DEPTH_MAX || silent > SILENT_BYTES_MAX) {
          refuseFile(BROKEN)
        }
        yield taken()
      }
      parser.write(decoder.decode()).close()
      yield taken()
    } catch (error) {
      throw GatewayError.is(error) ? error : refuseFile(BROKEN)
    }
  }
}

export const BROKEN = messageOf("file.xlsx_broken")

/** Some programs write `x:row` for `row`. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1)
}
