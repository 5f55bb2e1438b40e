import { Select } from "@medusajs/ui"
import { useTranslation } from "react-i18next"
import { NAMESPACE, useText } from "../text"
import { Section } from "../ui/section"

const OFFERED = ["en", "bn"] as const

/** Bangla is chosen here: Medusa's own list of languages, in the profile, is fixed and lacks it. */
export const Language = () => {
  const say = useText()
  const { i18n } = useTranslation(NAMESPACE)
  const current = OFFERED.find((language) => language === i18n.language)
  return (
    <Section
      heading={say("settings.language.title")}
      description={say("settings.language.description")}
      actions={
        <Select value={current ?? "other"} onValueChange={(language) => void i18n.changeLanguage(language)}>
          <Select.Trigger aria-label={say("settings.language.title")} className="w-48">
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {current === undefined && <Select.Item value="other">{say("settings.language.other")}</Select.Item>}
            {OFFERED.map((language) => (
              <Select.Item key={language} value={language}>
                {say(`settings.language.${language}`)}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      }
    />
  )
}
