import { Button } from "@medusajs/ui"
import { useFormats } from "../format"
import { useText } from "../text"

type Props = { index: number; size: number; count: number; onChange: (index: number) => void }

/** Shows the range of rows and the paging buttons. Medusa's own shows English digits in every language. */
export const Pages = ({ index, size, count, onChange }: Props) => {
  const say = useText()
  const { number } = useFormats()
  if (count === 0) {
    return null
  }
  const pages = Math.ceil(count / size)
  const [from, to] = [Math.min(index * size + 1, count), Math.min((index + 1) * size, count)]
  return (
    <div className="text-ui-fg-subtle txt-compact-small-plus flex w-full flex-wrap items-center justify-between gap-2 px-3 py-4">
      <p className="px-3 py-[5px]">
        {say("table.rows", { count, from: number(from), to: number(to), all: number(count) })}
      </p>
      <div className="flex items-center gap-x-2">
        <p className="px-3 py-[5px]">
          {say("table.page", { count: pages, page: number(index + 1), pages: number(pages) })}
        </p>
        <Button type="button" variant="transparent" disabled={index === 0} onClick={() => onChange(index - 1)}>
          {say("table.previous")}
        </Button>
        <Button type="button" variant="transparent" disabled={index + 1 >= pages} onClick={() => onChange(index + 1)}>
          {say("table.next")}
        </Button>
      </div>
    </div>
  )
}
