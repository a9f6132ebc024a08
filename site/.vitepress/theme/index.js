// The theme of VitePress in the colours of the console, and a menu of the versions that are served next to each other.
import theme from 'vitepress/theme'
import './colours.css'

export default {
  extends: theme,
  enhanceApp({ siteData }) {
    const { versions } = siteData.value.themeConfig
    if (versions !== null && typeof window !== 'undefined') void addVersions(siteData, versions)
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
