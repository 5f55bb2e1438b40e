import { ArrowUpTray } from "@medusajs/icons"
import { Button, Text, toast } from "@medusajs/ui"
import { type ReactNode, useRef } from "react"
import { useText } from "../text"
import type { Area } from "../use"
import { Guarded } from "./bits"

export type CsvFile = { name: string; text: string }

type CsvFileProps = {
  file: CsvFile | null
  onFile: (file: CsvFile) => void
  columns: string
  example: string
  /** Where the file changes something. */
  area?: Area
}

/** Picks a CSV file: shows the expected columns before, and the file's name afterwards. */
export const CsvFileInput = ({ file, onFile, columns, example, area }: CsvFileProps) => {
  const say = useText()
  const read = (chosen: File) => {
    const unreadable = () => toast.error(say("common.failed"), { description: say("csv.unreadable") })
    // Such as one that was changed or deleted after it was chosen.
    void textOf(chosen).then((text) => onFile({ name: chosen.name, text }), unreadable)
  }
  return (
    <div className="flex flex-col gap-3">
      <Text size="small" weight="plus" leading="compact">
        {say("csv.file")}
      </Text>
      <div className="flex flex-wrap items-center gap-3">
        <FileButton label={say("csv.file")} area={area} accept=".csv,.tsv,.txt,text/csv,text/plain" onFile={read}>
          <ArrowUpTray />
          {say(file === null ? "csv.choose" : "csv.choose_another")}
        </FileButton>
        <Text size="small" className="text-ui-fg-subtle min-w-0 break-all">
          {file?.name ?? say("csv.none")}
        </Text>
      </div>
      <Text size="small" className="text-ui-fg-subtle">
        {say("csv.columns")}
      </Text>
      <pre
        tabIndex={0}
        aria-label={say("csv.example")}
        className="bg-ui-bg-subtle border-ui-border-base txt-compact-xsmall overflow-x-auto rounded-lg border p-3 font-mono"
      >
        {`${columns}\n${example}`}
      </pre>
    </div>
  )
}

/** Spreadsheets save text of every script as UTF-16, and say so in the first two bytes. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes)
}

type FileButtonProps = {
  /** Names the file for screen readers. */
  label: string
  /** The types of the files, as an input takes them. */
  accept: string
  pending?: boolean
  /** Where the file changes something. */
  area?: Area
  onFile: (file: File) => void
  /** What the button says. */
  children: ReactNode
}

/** A button that lets the admin choose a file. The browser's own input cannot be styled, so it is out of sight. */
export const FileButton = ({ label, accept, pending = false, area, onFile, children }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Guarded area={area}>
      {(isForbidden) => (
        <>
          <input
            ref={input}
            type="file"
            aria-label={label}
            // The keyboard reaches the button instead.
            tabIndex={-1}
            accept={accept}
            className="sr-only"
            disabled={isForbidden}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) {
                onFile(file)
              }
              // Allows choosing the same file again once it is changed.
              target.value = ""
            }}
          />
          <Button
            type="button"
            size="small"
            variant="secondary"
            isLoading={pending}
            disabled={isForbidden}
            onClick={() => input.current?.click()}
          >
            {children}
          </Button>
        </>
      )}
    </Guarded>
  )
}
