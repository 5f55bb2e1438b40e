import { ArrowUpTray } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import { useId, useRef } from "react"
import { useText } from "../text"

export type CsvFile = { name: string; text: string }

type Props = { file: CsvFile | null; onFile: (file: CsvFile) => void; columns: string; example: string }

/** Picks a CSV file: shows the expected columns before, and the file's name afterwards. */
export const CsvFileInput = ({ file, onFile, columns, example }: Props) => {
  const say = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const read = async (chosen: File | undefined) => {
    if (chosen !== undefined) {
      onFile({ name: chosen.name, text: await chosen.text() })
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="txt-compact-small-plus">
        {say("csv.file")}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        // The keyboard reaches the button beside it instead.
        tabIndex={-1}
        accept=".csv,text/csv,text/plain"
        className="sr-only"
        onChange={({ target }) => {
          void read(target.files?.[0])
          // Allows choosing the same file again once it is fixed.
          target.value = ""
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="button" size="small" variant="secondary" onClick={() => input.current?.click()}>
          <ArrowUpTray />
          {say(file === null ? "csv.choose" : "csv.choose_another")}
        </Button>
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
