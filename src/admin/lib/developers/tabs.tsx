import { clx } from "@medusajs/ui"
import type { ReactNode } from "react"
import { NavLink } from "react-router-dom"
import { useText } from "../text"
import { DeskPage } from "../ui/desk-page"

const TABS = [
  ["keys", "api-keys"],
  ["webhooks", "webhooks"],
  ["events", "events"],
  ["deliveries", "deliveries"],
  ["requests", "requests"],
  ["clock", "clock"],
] as const

/** The pages for developers, with the way from one to the other. */
export const DevelopersPage = ({ children }: { children: ReactNode }) => {
  const say = useText()
  return (
    <DeskPage>
      <nav aria-label={say("developers.title")} className="flex gap-1 overflow-x-auto pb-1">
        {TABS.map(([name, path]) => (
          <NavLink
            key={path}
            to={`/gateway/developers/${path}`}
            className={({ isActive }) =>
              clx("txt-compact-small-plus shrink-0 rounded-full px-3 py-1.5", {
                "bg-ui-bg-base text-ui-fg-base shadow-elevation-card-rest": isActive,
                "text-ui-fg-subtle hover:text-ui-fg-base": !isActive,
              })
            }
          >
            {say(`developers.tabs.${name}`)}
          </NavLink>
        ))}
      </nav>
      {children}
    </DeskPage>
  )
}
