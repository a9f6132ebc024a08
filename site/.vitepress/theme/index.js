// The theme of VitePress in the colours of the console, each page as Markdown, and a menu of the versions that are served
// next to each other.
import { useData, withBase } from 'vitepress'
import { h, ref } from 'vue'
import theme from 'vitepress/theme'
import './colours.css'

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'doc-before': () => h(AsMarkdown) }),
  enhanceApp({ siteData }) {
    const { versions } = siteData.value.themeConfig
    if (versions !== null && typeof window !== 'undefined') void addVersions(siteData, versions)
  },
}

/** The page as the text that it was made of: to look at, or to hand to an assistant. */
const AsMarkdown = {
  setup() {
    const { page } = useData()
    const said = ref('Copy page')
    const copy = async () => {
      const text = await (await fetch(withBase(`/${page.value.relativePath}`))).text()
      await navigator.clipboard.writeText(text)
      said.value = 'Copied'
      setTimeout(() => (said.value = 'Copy page'), 2000)
    }
    return () =>
      h('p', { class: 'as-markdown' }, [
        h(
          'a',
          { href: withBase(`/${page.value.relativePath}`), target: '_self' },
          'View as Markdown',
        ),
        h('button', { type: 'button', onClick: copy, 'aria-live': 'polite' }, said.value),
      ])
  },
}

/** Other versions are other sites: their links leave this one. Without the list the menu stays as it was built. */
async function addVersions(siteData, folder) {
  const answer = await fetch(`${folder}versions.json`).catch(() => null)
  if (answer?.ok !== true) return
  const versions = await answer.json()
  const { themeConfig, base } = siteData.value
  const items = versions.map((version) => {
    const link = `${folder}${version}/`
    const isHere = link === base
    return {
      text: isHere ? `v${version} (this one)` : `v${version}`,
      link: new URL(link, location.origin).href,
      target: '_self',
      rel: '',
      noIcon: true,
    }
  })
  const nav = themeConfig.nav.map((entry) =>
    entry.isVersions === true
      ? { ...entry, items: [...entry.items, { text: 'Versions', items }] }
      : entry,
  )
  siteData.value = { ...siteData.value, themeConfig: { ...themeConfig, nav } }
}
